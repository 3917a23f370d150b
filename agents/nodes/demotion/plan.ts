import type * as v from "valibot";
import { absolutePath, object, url } from "../../harness/plan";

export const planSchema = object({
    /** Health URL of this machine's member: `http://127.0.0.1:2381`. */
    healthUrl: url("http"),
    /** Absolute paths, the same on the host and in the agent's container. */
    directories: object({
        /** The member's certificates: `/etc/kubernetes/pki/etcd`. */
        pki: absolutePath,
        /** The kubelet's static pod directory. */
        staticPods: absolutePath,
        /** The member's `--data-dir`. */
        data: absolutePath,
        /** The checkpointer's: `/etc/kubernetes/checkpoints`. */
        checkpoints: absolutePath,
    }),
});

/** Plan (`plan.json`) for cleaning up a machine that was a controller. */
export type DemotionPlan = v.InferOutput<typeof planSchema>;

/** `k8s-app` of the agent. */
export const demotionName = "node-demotion";
