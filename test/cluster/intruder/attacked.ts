import type { Scene } from "../faults";

/** A cluster that intruders attack. It has two workers at least. */
export interface Attacked extends Scene {
    readonly cni: "flannel" | "kube-router";
    /** Creates the cluster, once. */
    start(): Promise<unknown>;
}
