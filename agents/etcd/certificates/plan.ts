import * as v from "valibot";
import { absolutePath, flag, kubeletCredentials, object, positive, text, url } from "../../harness/plan";

export const planSchema = object({
    /** Name of the member. */
    name: text(),
    /** The member's URL on its own machine: `https://127.0.0.1:2379`. */
    url: url("https"),
    /** Its health and metrics URL, without TLS: `http://127.0.0.1:2381`. */
    healthUrl: url("http"),
    /** Directory of its certificates on the machine. */
    pki: absolutePath,
    /** Path of its static pod. */
    staticPod: absolutePath,
    /** Its `--data-dir`, used to find its process. */
    data: absolutePath,
    /** Annotation for its static pod: the CAs it started with. */
    annotation: object({ name: text(), value: v.optional(v.string("text")) }),
    /**
     * The kube-apiserver on the same machine, which must become ready again and show the updated pod. @default - no
     * kube-apiserver
     */
    api: v.optional(object({ server: url("https"), credentials: kubeletCredentials })),
    /** Whether the machine may have no member, so that there is nothing to replace. @default false */
    mayLackMember: v.optional(flag),
    /** Timeout of each wait. @default 60 */
    timeoutSeconds: v.optional(positive()),
});

/** Plan (`plan.json`) for replacing a member's certificates. The certificates are in the same directory. */
export type EtcdCertificatesPlan = v.InferOutput<typeof planSchema>;
