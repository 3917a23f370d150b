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
}

/** The machines that a fault may strike; none if it does not suit the cluster. */
export function targets({ target }: Pick<Fault, "target">, { controllers, workers }: Scene): readonly string[] {
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
