import { staticPodFile } from "../../member/files";
import type { RestorePlan, StepName } from "./plan";

/** What every step gets. */
export interface Run {
    readonly plan: RestorePlan;
    readonly places: Places;
    /** `performance.now()` at which the present step has had its time. */
    readonly deadline: number;
    readonly report: (message: string) => void;
}

export interface Step {
    readonly name: StepName;
    /** Does what is left to do, and says what that was. */
    readonly run: (run: Run) => Promise<string>;
}

/** Where this restore keeps its things: all of them carry its id. */
export interface Places {
    /** The snapshot, once it is here and whole. */
    readonly snapshot: string;
    /** The static pod that was there before. */
    readonly staticPodBefore: string;
    /** There from the moment on at which the data may have been swapped. */
    readonly swapping: string;
    /** The new data while they are written, and when they are whole. */
    readonly restoring: string;
    readonly restored: string;
    /** The old data. */
    readonly before: string;
    readonly staticPod: string;
}

export function placesOf({ id, directories }: Pick<RestorePlan, "id" | "directories">): Places {
    const { data, state, staticPods } = directories;
    return {
        snapshot: `${state}/${id}.db`,
        staticPodBefore: `${state}/${id}.etcd.json`,
        swapping: `${state}/${id}.swapping`,
        restoring: `${data}.restoring-${id}`,
        restored: `${data}.restored-${id}`,
        before: `${data}.before-${id}`,
        staticPod: `${staticPods}/${staticPodFile}`,
    };
}
