import type { Memory, Sight } from "./decide";
import type { Timings } from "./plan";
import type { Checkpoint } from "./store";

export interface OwnPod {
    /** The checkpointer itself, as a parent. */
    readonly self: string;
    /** UID of the pod that the agent runs in. */
    readonly uid: string;
    /** The checkpoint on disk. @default - none */
    readonly saved?: Checkpoint;
    /** @default - nothing is seen of it */
    readonly sight?: Sight;
    readonly memory?: Memory;
    /** Why the pod can't be saved. @default - it can */
    readonly refusal?: string;
}

/**
 * Why a checkpointer is not what its node will go on with, if so: its checkpoint is that of another pod. It is saved whether the pod
 * is Ready or not, and so the pod may wait for it.
 *
 * One that has crashed is saved much later. It is let go once it has worked as long as any other: a power cut looks the same.
 */
export function ownProblem(
    { self, uid, saved, sight, memory, refusal }: OwnPod,
    now: number,
    { settle }: Timings,
): string | undefined {
    const isOwn = saved?.uid === uid || (saved !== undefined && saved.generation === sight?.draft?.generation);
    const { settledSince } = memory ?? {};
    const hasWorked = settledSince !== undefined && now - settledSince >= settle;
    if (isOwn || (hasWorked && sight?.draft?.hasCrashed)) {
        return undefined;
    }
    return `the checkpoint of ${self} is that of another pod${refusal === undefined ? "" : `: ${refusal}`}`;
}
