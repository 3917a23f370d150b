import * as v from "valibot";
import { object, positiveInteger, url } from "../harness/plan";

export const planSchema = object({
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    apiServer: url("https"),
    /** Number of Secrets per page. @default 500 */
    pageSize: v.optional(positiveInteger),
});

/** Plan (`plan.json`) for rewriting an API's Secrets. It contains no secrets. */
export type SecretsRewritePlan = v.InferOutput<typeof planSchema>;
