import type { TestCluster } from "../cluster";

/** A cluster under faults. */
export interface Scene {
    readonly cluster: TestCluster;
    readonly controllers: readonly string[];
    readonly workers: readonly string[];
}

/** Something done to a cluster, or to one of its machines. */
export type Act = (scene: Scene, machine: string) => Promise<void>;

/** Which machine a fault affects; `cluster`: none in particular. */
export type Target = "controller" | "worker" | "node" | "cluster";

/** A failure that a cluster must survive with no help other than `heal`. */
export interface Fault {
    /** In kebab-case, as in `--faults`. */
    readonly name: string;
    /** A short description. */
    readonly about: string;
    readonly target: Target;
    /** Why it is impossible on this host. @default - it is possible */
    readonly whyNot?: string;
    /** Maximum duration before `heal`, or before anything else happens. Unit: seconds. @default 0 */
    readonly lasts?: number;
    /** Not combined with other faults: its effect would not allow any. */
    readonly isAlone?: boolean;
    /** Maximum seconds from its end until the cluster is healthy. @default 240 */
    readonly within?: number;
    /** Faults of one group are not combined: each would undo the other. */
    readonly group?: string;
    /** `random` returns numbers from 0 to 1, the same for the same seed. */
    inject(scene: Scene, machine: string, random: () => number): Promise<void>;
    /** Ends it; called after `lasts`, even if `inject` failed half-way. Without it the fault ends on its own. */
    readonly heal?: Act;
    /** Waits for delayed effects, when a cluster may already look healthy; counts towards the recovery time. */
    readonly settled?: (scene: Scene, machine: string, since: Date) => Promise<void>;
}

/** The machines that a fault can affect; none if it does not suit the cluster or the host. */
export function targets(fault: Pick<Fault, "target" | "whyNot">, { controllers, workers }: Scene): readonly string[] {
    const { target, whyNot } = fault;
    if (whyNot) return [];
    switch (target) {
        case "controller":
            return controllers;
        case "worker":
            return workers;
        case "node":
            return [...controllers, ...workers];
        case "cluster":
            return controllers.slice(0, 1);
    }
}
