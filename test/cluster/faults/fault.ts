import type { TestCluster } from "../cluster";

/** A cluster that faults strike. */
export interface Scene {
    readonly cluster: TestCluster;
    readonly controllers: readonly string[];
    readonly workers: readonly string[];
}

/** Something done to a cluster, or to one of its machines. */
export type Act = (scene: Scene, machine: string) => Promise<void>;

/** Which machine a fault strikes; `cluster`: none in particular. */
export type Target = "controller" | "worker" | "node" | "cluster";

/** Something that goes wrong, and that a cluster must survive without anybody's help but `heal`. */
export interface Fault {
    /** In kebab-case, as `--faults` takes it. */
    readonly name: string;
    /** What happens, in a few words. */
    readonly about: string;
    readonly target: Target;
    /** Why it can't happen on this computer. @default - it can */
    readonly whyNot?: string;
    /** Longest time that it lasts before `heal`, or before anything else happens. Unit: seconds. @default 0 */
    readonly lasts?: number;
    /** Strikes with no other fault beside it: what it does meanwhile would not bear one. */
    readonly isAlone?: boolean;
    /** Most seconds from its end until the cluster is whole. @default 240 */
    readonly within?: number;
    /** Faults of one group do not strike together: each would undo the other. */
    readonly group?: string;
    /** `random` gives numbers from 0 to 1, the same for the same seed. */
    inject(scene: Scene, machine: string, random: () => number): Promise<void>;
    /** Ends it; called after `lasts`, even when `inject` failed half-way. Without it the fault ends by itself. */
    readonly heal?: Act;
    /** Waits for what comes of it later, when a cluster may look whole already; it counts as time until that is whole. */
    readonly settled?: (scene: Scene, machine: string, since: Date) => Promise<void>;
}

/** The machines that a fault may strike; none if it does not suit the cluster, or this computer. */
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
