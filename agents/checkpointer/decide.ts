import type { Timings } from "./plan";

/** What is seen of a parent on this node. */
export interface Sight {
    /**
     * `self`: the checkpointer, whose copy always lies ready. `overlapping`: each generation binds an address
     * of its own, so that a copy may run beside the parent's pod. `exclusive`: only one may run at a time.
     */
    readonly kind: "self" | "overlapping" | "exclusive";
    /** It works by asking the API. */
    readonly needsApi: boolean;
    /** Generation of the checkpoint on disk. */
    readonly saved?: string;
    /** Generation of the copy that the kubelet is to run. */
    readonly active?: string;
    /** The parent's own pod, as the container runtime knows it. */
    readonly pod: "unknown" | "absent" | "alive";
    /** Whether that pod serves, as it says itself, and is to go on doing so: one that the API has end does not count. */
    readonly serves: "unknown" | boolean;
    /** The pod is the very one that the checkpoint was saved from. */
    readonly isAsSaved: boolean;
    /**
     * Whether the parent is to run on this node. `listed`: the API has a pod for it, which the kubelet starts by itself. `owed`: it
     * should have one, whatever became of the DaemonSet or of the Node. `gone`: the plan does not name it.
     */
    readonly api: "unknown" | "listed" | "owed" | "gone";
    /** The API has no Node of this name, or one without its role, and nothing says that it leaves: its pods will be deleted. */
    readonly isUnplaced: boolean;
    /** The node is being removed: nothing is to come back here, whatever is unknown later. */
    readonly isLeaving: boolean;
    /** The copy serves, as it says itself. Asked where the pod is to give way to it. */
    readonly copyServes?: boolean;
    /** What could be saved now. */
    readonly draft?: {
        readonly generation: string;
        readonly isReady: boolean;
        readonly hasCrashed: boolean;
        /** The checkpoint has the same, saved from the same pod. */
        readonly isSaved: boolean;
    };
}

/** Since when what was seen of a parent has been so without a break: seconds of a monotonic clock. */
export interface Memory {
    readonly absentSince?: number;
    readonly unservedSince?: number;
    readonly servedSince?: number;
    readonly goneSince?: number;
    readonly copyServedSince?: number;
    readonly settledSince?: number;
    /** What `settledSince` is about. */
    readonly settling?: string;
    /** A pod that has not proved itself yet failed, and a copy was started beside it. */
    readonly isWary?: boolean;
}

export type Action = "activate" | "deactivate" | "save" | "forget" | "release";

export interface Decision {
    readonly actions: readonly Action[];
    readonly memory: Memory;
}

/** What to do about a parent, and what to remember. Whatever is unknown starts nothing, ends nothing and breaks every count. */
export function decide(sight: Sight, before: Memory, now: number, timings: Timings): Decision {
    const memory = remember(sight, before, now);
    const lasts = (since: number | undefined, seconds: number) => since !== undefined && now - since >= seconds;
    if (sight.kind === "self") {
        return { memory, actions: decideOnSelf(sight, memory, lasts, timings) };
    }
    if (sight.isLeaving || lasts(memory.goneSince, timings.gone)) {
        const actions: Action[] = [];
        if (sight.active !== undefined) actions.push("deactivate");
        if (sight.saved !== undefined) actions.push("forget");
        return { actions, memory };
    }
    if (sight.isUnplaced && sight.kind === "overlapping" && sight.pod !== "unknown") {
        return {
            memory: { ...memory, servedSince: undefined },
            actions: decideUnplaced(sight, memory, lasts, timings),
        };
    }
    const isFailing = isToStandBeside(sight, memory, lasts, timings);
    if (isFailing || isToStart(sight, memory, lasts, timings)) {
        return { actions: ["activate"], memory: { ...memory, isWary: isFailing && !sight.isAsSaved } };
    }
    if (isToStop(sight, memory, lasts, timings)) {
        return { actions: ["deactivate"], memory: { ...memory, isWary: false } };
    }
    return { actions: isToSave(sight, memory, lasts, timings) ? ["save"] : [], memory };
}

type Lasts = (since: number | undefined, seconds: number) => boolean;

function remember({ pod, serves, active, api, copyServes, draft }: Sight, before: Memory, now: number): Memory {
    const since = (isSo: boolean, start: number | undefined) => (isSo ? (start ?? now) : undefined);
    const settling = draft?.isReady ? draft.generation : undefined;
    return {
        absentSince: since(pod === "absent", before.absentSince),
        unservedSince: since(pod === "alive" && serves === false, before.unservedSince),
        servedSince: since(pod === "alive" && serves === true, before.servedSince),
        goneSince: since(api === "gone", before.goneSince),
        copyServedSince: since(active !== undefined && copyServes === true, before.copyServedSince),
        settledSince: since(settling !== undefined, settling === before.settling ? before.settledSince : undefined),
        settling,
        isWary: before.isWary,
    };
}

/** The copy always lies in the kubelet's directory, in the last good form. It waits there while the parent's pod works. */
function decideOnSelf(sight: Sight, memory: Memory, lasts: Lasts, timings: Timings): Action[] {
    if (isToSave(sight, memory, lasts, timings)) {
        return ["save", "activate"];
    }
    return sight.saved !== undefined && sight.saved !== sight.active ? ["activate"] : [];
}

/**
 * Before its pods end a copy runs, so that no request finds nothing. Kubernetes gives pods of a missing Node a second to end: one is
 * released before that, with the time that it has to end its requests.
 */
function decideUnplaced(sight: Sight, { copyServedSince }: Memory, lasts: Lasts, timings: Timings): Action[] {
    if (isStartable(sight)) {
        return ["activate"];
    }
    return sight.api === "listed" && lasts(copyServedSince, timings.served) ? ["release"] : [];
}

function isStartable({ saved, active, api }: Sight): boolean {
    return saved !== undefined && active === undefined && api !== "gone";
}

function isToStart(sight: Sight, { absentSince }: Memory, lasts: Lasts, timings: Timings): boolean {
    if (!isStartable(sight)) {
        return false;
    }
    if (sight.api === "unknown") {
        return lasts(absentSince, sight.needsApi ? timings.absentInVain : timings.absentWithoutApi);
    }
    // The copy would run beside the pod that the kubelet is about to start.
    const isInTheWay = sight.kind === "exclusive" && sight.api === "listed";
    return !isInTheWay && lasts(absentSince, timings.absent);
}

/** The pod fails, and its copy may do better: as another spec, or without the kubelet's waiting time after crashes. */
function isToStandBeside(sight: Sight, { unservedSince }: Memory, lasts: Lasts, timings: Timings): boolean {
    // Without an API both would wait for the same.
    const wouldFailToo = sight.isAsSaved && sight.api === "unknown";
    const isPossible = sight.kind === "overlapping" && isStartable(sight) && !wouldFailToo;
    return isPossible && lasts(unservedSince, timings.unserved);
}

function isToStop({ kind, active, pod }: Sight, memory: Memory, lasts: Lasts, timings: Timings): boolean {
    if (active === undefined) {
        return false;
    }
    if (kind === "exclusive") {
        // Here, or on another node.
        return pod === "alive" || lasts(memory.goneSince, timings.served);
    }
    return lasts(memory.servedSince, memory.isWary ? timings.servedAfterFailure : timings.served);
}

function isToSave({ saved, draft }: Sight, { settledSince }: Memory, lasts: Lasts, timings: Timings): boolean {
    if (draft === undefined || draft.isSaved) {
        return false;
    }
    const replacing = draft.hasCrashed ? timings.settleAfterCrash : timings.settle;
    return lasts(settledSince, saved === undefined ? timings.settleFirst : replacing);
}
