import type { Memory, Observed } from "./decide";
import type { Draft } from "./draft";
import type { CheckpointerPlan, Timings } from "./plan";
import type { Checkpoint } from "./store";

/**
 * Locks of a node's checkpointers: the active one holds `active`, and the DaemonSet's pod holds `parent` while it is
 * running.
 */
export const locks = ({ directories: { state } }: CheckpointerPlan) => ({
    active: `${state}/active`,
    parent: `${state}/parent`,
});

/** Marks the agent as the copy, which gives way to the DaemonSet's pod. */
export const standbyFlag = "--standby";

/**
 * The checkpointer's own copy: always in the kubelet's directory, and asleep while the DaemonSet's pod is running. A
 * shell sleeps in its place, in a fiftieth of the memory.
 */
export function standby(draft: Draft, plan: CheckpointerPlan): Draft {
    return {
        ...draft,
        startsAtBoot: true,
        manifest: (directory) => {
            const manifest = draft.manifest(directory) as StaticPod;
            const [container, ...others] = manifest.spec.containers;
            const { readinessProbe, livenessProbe, startupProbe, command, ...rest } = container!;
            const wrapped = ["/bin/sh", "-c", script(locks(plan).parent), ...command, standbyFlag];
            return { ...manifest, spec: { ...manifest.spec, containers: [{ ...rest, command: wrapped }, ...others] } };
        },
    };
}

interface StaticPod {
    readonly spec: {
        readonly containers: readonly {
            readonly command: readonly string[];
            readonly readinessProbe?: unknown;
            readonly livenessProbe?: unknown;
            readonly startupProbe?: unknown;
        }[];
    };
}

/** Its arguments, `$0` among them, are the agent's command. */
function script(parentLock: string): string {
    return `trap 'kill "$child"; exit 0' TERM INT
run() { "$@" & child=$!; wait "$child"; }
is_locked() { [ -e "$1" ] && { flock -n -s 7 7<"$1"; [ $? -eq 1 ]; }; }
while :; do
    while is_locked ${parentLock}; do run sleep 2; done
    run "$0" "$@" || run sleep 1
done
`;
}

export interface OwnPod {
    /** The checkpointer itself, as a parent. */
    readonly self: string;
    /** UID of the pod that the agent runs in. */
    readonly uid: string;
    /** The checkpoint on disk. @default - none */
    readonly saved?: Checkpoint;
    /** @default - not observed */
    readonly observed?: Observed;
    readonly memory?: Memory;
    /** Why the pod can't be saved. @default - it can */
    readonly refusal?: string;
}

/**
 * Why the node could not rely on this checkpointer's checkpoint, if so: it was saved from another pod. It is saved
 * whether or not the pod is Ready, so the pod may wait for it.
 *
 * After a crash it is saved much later. Then the pod becomes ready once it has worked as long as any other: a power cut
 * looks the same.
 */
export function ownProblem(
    { self, uid, saved, observed, memory, refusal }: OwnPod,
    now: number,
    { settle }: Timings,
): string | undefined {
    const isOwn = saved?.uid === uid || (saved !== undefined && saved.generation === observed?.draft?.generation);
    const { settledSince } = memory ?? {};
    const hasWorked = settledSince !== undefined && now - settledSince >= settle;
    if (isOwn || (hasWorked && observed?.draft?.hasCrashed)) {
        return undefined;
    }
    return `the checkpoint of ${self} was saved from another pod${refusal === undefined ? "" : `: ${refusal}`}`;
}
