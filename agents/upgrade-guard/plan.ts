import type * as v from "valibot";
import { absolutePath, object, port, positiveInteger, text, url } from "../harness/plan";

const listener = object({
    /** Port that each generation listens on, at its own loopback address. */
    port,
    /** The only user whose processes are trusted to be the program. */
    user: positiveInteger,
});

export const planSchema = object({
    /** The API of the guard's own node: `https://127.0.0.1:6443`. */
    apiServer: url("https"),
    /** Port of kube-apiserver on the loopback address of its generation. */
    apiServerPort: port,
    /** A name in kube-apiserver's certificate. */
    apiServerName: text(),
    /** Field manager of the DaemonSets' templates. */
    fieldManager: text(),
    /** Programs whose queues are compared. */
    queues: object({ "kube-controller-manager": listener, "kube-scheduler": listener }),
    directories: object({
        /** `/var/lib/tradewind/upgrade-guard` */
        state: absolutePath,
        /** Copies of pods that the checkpointer saved: `/etc/kubernetes/checkpoints`. */
        checkpoints: absolutePath,
        /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
        staticPods: absolutePath,
    }),
});

/** Plan of the agent that takes a bad upgrade back: `plan.json`. It contains no secrets. */
export type UpgradeGuardPlan = v.InferOutput<typeof planSchema>;

/** Name of the Lease that the guard of a node writes to measure the API. */
export function probeLease(node: string): string {
    return `upgrade-guard-${node}`;
}
