import * as v from "valibot";
import { absolutePath, object, timeouts, url } from "../../harness/plan";

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
        /** Has copies of the certificates, below their own path. @default - there are none */
        kept: v.optional(absolutePath),
    }),
    /** Timeout of each step in seconds. @default - `defaultTimeouts` */
    timeouts: timeouts<StepName>(),
});

/** Plan (`plan.json`) for cleaning up a machine that was a controller. */
export type DemotionPlan = v.InferOutput<typeof planSchema>;

/** `k8s-app` of the agent. */
export const demotionName = "node-demotion";

/** The steps, in order, as named in the log. */
export const stepNames = ["stop-member", "remove-checkpoints", "remove-data", "remove-certificates"] as const;

export type StepName = (typeof stepNames)[number];

/** Seconds. */
export const defaultTimeouts: Record<StepName, number> = {
    "stop-member": 120,
    "remove-checkpoints": 120,
    "remove-data": 60,
    "remove-certificates": 60,
};
