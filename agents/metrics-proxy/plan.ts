import * as v from "valibot";
import { absolutePath, byName, object, port, positiveInteger, text, url } from "../harness/plan";

const plain = object({
    /** Unencrypted and without authentication, on the loopback interface: `http://127.0.0.1:2381/metrics`. */
    url: text("an http://127.0.0.1 URL", /^http:\/\/127\.0\.0\.1:\d+\//),
});

const generations = object({
    /** Port that each generation listens on, at its own loopback address. It is relayed from 127.0.0.1. */
    port,
    /** The only user whose processes are trusted to be the component. */
    user: positiveInteger,
});

/** A component whose generations have their own loopback addresses. */
export type Generations = v.InferOutput<typeof generations>;

export const planSchema = object({
    /** Reviews tokens and permissions. */
    apiServer: url("https"),
    /** Port on the node's address. */
    port,
    certificate: object({ cert: absolutePath, key: absolutePath }),
    /** What `/metrics/<name>` returns. */
    sources: byName(v.union([generations, plain], "a port with its user, or an http://127.0.0.1 URL")),
});

/** The metrics proxy's plan: `plan.json`. */
export type MetricsProxyPlan = v.InferOutput<typeof planSchema>;
