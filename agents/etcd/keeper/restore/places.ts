import { staticPodFile } from "../../member/files";
import type { RestorePlan } from "./plan";

/** Paths of this restore. All of them contain its ID. */
export interface Places {
    /** The snapshot, once it is here and complete. */
    readonly snapshot: string;
    /** The previous static pod. */
    readonly staticPodBefore: string;
    /** Exists from the moment the data may have been swapped. */
    readonly swapping: string;
    /** The new data, while it is written and once it is complete. */
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
