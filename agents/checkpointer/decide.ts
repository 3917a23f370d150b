import type { Timings } from "./plan";

/** Observed state of a parent on this node. */
export interface Observed {
    /**
     * `self`: the checkpointer, whose copy is always installed. `overlapping`: each generation binds its own address,
     * so a copy may run alongside the parent's pod. `exclusive`: only one may run at a time.
     */
    readonly kind: "self" | "overlapping" | "exclusive";
    /** It works through the API. */
    readonly needsApi: boolean;
    /** Generation of the checkpoint on disk. */
    readonly saved?: string;
    /** Generation of the copy installed for the kubelet. */
    readonly active?: string;
    /** Files of that copy are damaged or missing. @default false */
    readonly isCopyDamaged?: boolean;
    /** Some checkpoint on disk is damaged. @default false */
    readonly hasDamage?: boolean;
    /**
     * The parent's own pod, according to the container runtime. `idle`: its sandbox is ready, but not all of its
     * containers run.
     */
    readonly pod: "unknown" | "absent" | "idle" | "alive";
    /**
     * Whether that pod serves, by its own probes, and will go on serving: a pod that the API is terminating does not
     * count.
     */
    readonly serves: "unknown" | boolean;
    /** The checkpoint was saved from this very pod. */
    readonly isAsSaved: boolean;
    /**
     * Whether the parent should run on this node. `listed`: the API has a pod for it, which the kubelet starts by
     * itself. `owed`: it should have one, whatever happened to the DaemonSet or the Node. `removed`: the plan does not
     * name it.
     */
    readonly api: "unknown" | "listed" | "owed" | "removed";
    /**
     * The API has no Node of this name, or one without its role, and it is not being removed: its pods will be deleted.
     */
    readonly isUnplaced: boolean;
    /** The node is being removed: nothing may be started here again, whatever is unknown later. */
    readonly isLeaving: boolean;
    /** Whether the copy serves, by its own probes. Checked if the pod is to give way to it, and if it is damaged. */
    readonly copyServes?: boolean;
    /** What could be saved now. */
    readonly draft?: {
        readonly generation: string;
        readonly isReady: boolean;
        readonly hasCrashed: boolean;
        /** The checkpoint has the same content, saved from the same pod, and no other one is damaged. */
        readonly isSaved: boolean;
    };
}

/** Since when the observations of a parent have held without interruption: seconds of a monotonic clock. */
export interface Memory {
    readonly absentSince?: number;
    readonly idleSince?: number;
    readonly unservedSince?: number;
    readonly servedSince?: number;
    readonly removedSince?: number;
    readonly copyServedSince?: number;
    readonly settledSince?: number;
    /** The draft that `settledSince` refers to. */
    readonly settling?: string;
    /** A pod that has not proved itself yet failed, and a copy was started alongside it. */
    readonly isWary?: boolean;
}

export type Action = "activate" | "deactivate" | "save" | "forget" | "release";

export interface Decision {
    readonly actions: readonly Action[];
    readonly memory: Memory;
}

/**
 * What to do about a parent, and what to remember. Unknown observations start nothing, stop nothing and reset every
 * timer.
 */
export function decide(state: Observed, before: Memory, now: number, timings: Timings): Decision {
    const lasts = (since: number | undefined, seconds: number) => since !== undefined && now - since >= seconds;
    const idleSince = state.pod === "idle" ? (before.idleSince ?? now) : undefined;
    const observed = isForgotten(state, idleSince, lasts, timings) ? { ...state, pod: "absent" as const } : state;
    const memory = { ...remember(observed, before, now), idleSince };
    if (observed.kind === "self") {
        return { memory, actions: decideOnSelf(observed, memory, lasts, timings) };
    }
    if (observed.isLeaving || lasts(memory.removedSince, timings.removed)) {
        const actions: Action[] = [];
        if (observed.active !== undefined) actions.push("deactivate");
        if (observed.saved !== undefined || observed.hasDamage) actions.push("forget");
        return { actions, memory };
    }
    if (isToReplace(observed)) {
        return { actions: ["activate"], memory };
    }
    if (observed.isUnplaced && observed.kind === "overlapping" && observed.pod !== "unknown") {
        return {
            memory: { ...memory, servedSince: undefined },
            actions: decideUnplaced(observed, memory, lasts, timings),
        };
    }
    const isFailing = runsNextToParent(observed, memory, lasts, timings);
    if (isFailing || isToStart(observed, memory, lasts, timings)) {
        return { actions: ["activate"], memory: { ...memory, isWary: isFailing && !observed.isAsSaved } };
    }
    if (isToStop(observed, memory, lasts, timings)) {
        return { actions: ["deactivate"], memory: { ...memory, isWary: false } };
    }
    return { actions: isToSave(observed, memory, lasts, timings) ? ["save"] : [], memory };
}

type Lasts = (since: number | undefined, seconds: number) => boolean;

/**
 * A kubelet that was restarted while the API is down does not know the pod, and never restarts its containers. One that
 * knows it does so after a back-off.
 */
function isForgotten(observed: Observed, idleSince: number | undefined, lasts: Lasts, timings: Timings): boolean {
    const { pod, serves, api, kind } = observed;
    const patience = kind === "overlapping" ? timings.idle : timings.idleAlone;
    return pod === "idle" && serves === false && api === "unknown" && lasts(idleSince, patience);
}

function isThere(pod: Observed["pod"]): boolean {
    return pod === "alive" || pod === "idle";
}

function remember({ pod, serves, active, api, copyServes, draft }: Observed, before: Memory, now: number): Memory {
    const since = (isSo: boolean, start: number | undefined) => (isSo ? (start ?? now) : undefined);
    const settling = draft?.isReady ? draft.generation : undefined;
    return {
        absentSince: since(pod === "absent", before.absentSince),
        unservedSince: since(isThere(pod) && serves === false, before.unservedSince),
        servedSince: since(isThere(pod) && serves === true, before.servedSince),
        removedSince: since(api === "removed", before.removedSince),
        copyServedSince: since(active !== undefined && copyServes === true, before.copyServedSince),
        settledSince: since(settling !== undefined, settling === before.settling ? before.settledSince : undefined),
        settling,
        isWary: before.isWary,
    };
}

/**
 * The copy is always in the kubelet's directory, in the last good version. It waits there while the parent's pod works.
 */
function decideOnSelf(observed: Observed, memory: Memory, lasts: Lasts, timings: Timings): Action[] {
    if (isToSave(observed, memory, lasts, timings)) {
        return ["save", "activate"];
    }
    return observed.saved !== undefined && observed.saved !== observed.active ? ["activate"] : [];
}

/**
 * A copy starts before the pods end, so that no request is lost. Kubernetes gives pods of a missing Node one second to
 * end: a pod is released before that, with its full time to finish requests.
 */
function decideUnplaced(observed: Observed, { copyServedSince }: Memory, lasts: Lasts, timings: Timings): Action[] {
    if (isStartable(observed)) {
        return ["activate"];
    }
    return observed.api === "listed" && lasts(copyServedSince, timings.served) ? ["release"] : [];
}

function isStartable({ saved, active, api }: Observed): boolean {
    return saved !== undefined && active === undefined && api !== "removed";
}

/** The copy would not start again with its files, and another checkpoint is whole. */
function isToReplace({ isCopyDamaged, copyServes, serves, saved, active, api, kind, pod }: Observed): boolean {
    const isNeeded = isCopyDamaged === true && copyServes !== true && serves !== true && api !== "removed";
    const isPossible = kind === "overlapping" ? pod !== "unknown" : pod === "absent";
    return isNeeded && isPossible && saved !== undefined && saved !== active;
}

function isToStart(observed: Observed, { absentSince }: Memory, lasts: Lasts, timings: Timings): boolean {
    if (!isStartable(observed)) {
        return false;
    }
    if (observed.api === "unknown") {
        return lasts(absentSince, observed.needsApi ? timings.absentInVain : timings.absentWithoutApi);
    }
    // The copy would run alongside the pod that the kubelet is about to start.
    const isInTheWay = observed.kind === "exclusive" && observed.api === "listed";
    return !isInTheWay && lasts(absentSince, timings.absent);
}

/** The pod fails, and its copy may do better: it has another spec, or avoids the kubelet's back-off after crashes. */
function runsNextToParent(observed: Observed, { unservedSince }: Memory, lasts: Lasts, timings: Timings): boolean {
    // Without an API both would wait for the same thing.
    const wouldFailToo = observed.isAsSaved && observed.api === "unknown";
    const isPossible = observed.kind === "overlapping" && isStartable(observed) && !wouldFailToo;
    return isPossible && lasts(unservedSince, timings.unserved);
}

function isToStop({ kind, active, pod }: Observed, memory: Memory, lasts: Lasts, timings: Timings): boolean {
    if (active === undefined) {
        return false;
    }
    if (kind === "exclusive") {
        // Here, or on another node.
        return isThere(pod) || lasts(memory.removedSince, timings.served);
    }
    return lasts(memory.servedSince, memory.isWary ? timings.servedAfterFailure : timings.served);
}

function isToSave({ saved, draft }: Observed, { settledSince }: Memory, lasts: Lasts, timings: Timings): boolean {
    if (draft === undefined || draft.isSaved) {
        return false;
    }
    const replacing = draft.hasCrashed ? timings.settleAfterCrash : timings.settle;
    return lasts(settledSince, saved === undefined ? timings.settleFirst : replacing);
}
