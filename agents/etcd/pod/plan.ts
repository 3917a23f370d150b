import * as v from "valibot";
import { absolutePath, object, positive, text } from "../../harness/plan";

export const planSchema = object({
    /** Images of this pod, in the form of `imagesWord`: the machine's own member must have the same. */
    images: text("a non-empty string"),
    /** Path of the member's static pod. */
    staticPod: absolutePath,
    /** Directory of its certificates. */
    pki: absolutePath,
    /** Its `--data-dir`, by which agents lock it. */
    data: absolutePath,
    /** Seconds that the machine's own member must be down before it may be taken over at once. @default 10 */
    stoppedSeconds: v.optional(positive()),
});

/**
 * Plan (`plan.json`) of an API-managed etcd pod: what it checks before it takes over a member. Everything else comes
 * from the machine's static pod.
 */
export type EtcdPodPlan = v.InferOutput<typeof planSchema>;

export const defaultMissingSeconds = 10;
