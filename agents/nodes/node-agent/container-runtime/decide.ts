import { type Notice, normal, warning } from "../../../../clients/kubernetes/node-event";
import { counted, keepCordoned, type Memory } from "../memory";
import type { Limits } from "../plan";
import type { ContainerRuntimeJournal } from "./journal";
import { isTold, labelOf, type Runtime, stepProblem } from "./runtime";
import type { RuntimeHost } from "./runtimes";

/** What is seen of the node and of its container runtime. */
export interface ContainerRuntimeSight {
    readonly node: "unknown" | RuntimeNodeSight;
    /** Id of the one that the node is to have, or why there is none. */
    readonly wanted: { readonly id: string } | { readonly refusal: string };
    /** @default - it can't change its runtime */
    readonly host?: RuntimeHost;
    /** The wanted one lies on the disk, whole. */
    readonly isHere: boolean;
    /** Why it could not be fetched when that was tried last. */
    readonly fetchProblem?: string;
    /** What the one that the host has tells, and the wanted one. @default - they were not asked */
    readonly told?: { readonly from: Runtime; readonly to: Runtime } | { readonly fault: string };
    /** Pods that have to go before, each with its state. */
    readonly left: readonly string[];
    /** The kubelet says that it is well. */
    readonly isHealthy: boolean;
    /** Pods of the control plane on this node that are not Ready. */
    readonly unready: readonly string[];
    /** A change of the kubelet or of CNI plugins is under way, or failed. */
    readonly isOtherChanging: boolean;
    /** Another node whose machine is being rebooted. @default - none */
    readonly rebootOf?: string;
    /** UID of the pod that the agent runs in. */
    readonly pod: string;
}

export interface RuntimeNodeSight {
    readonly isReady: boolean;
    readonly isCordoned: boolean;
    /** It is being removed from the cluster. */
    readonly isLeaving: boolean;
    /** The runtime that its kubelet found last: `containerd://2.4.2`. */
    readonly runtimeVersion: string;
}

/** `request runtime` is of the one that the journal names. */
export type ContainerRuntimeAction = "fetch runtime" | "cordon" | "evict" | "request runtime" | "keep runtime";

export interface ContainerRuntimeDecision {
    /** Done in this order, after the journal is written. */
    readonly actions: readonly ContainerRuntimeAction[];
    readonly journal: ContainerRuntimeJournal;
    readonly memory: Memory;
    /** What of a change is under way: the kubelet is left alone then. @default - nothing */
    readonly amiss?: string;
    readonly notice?: Notice;
}

/** How often a runtime is tried whose machine boots before it is known to do. */
const mostAttempts = 3;

/** What to do about the node's container runtime. Whatever is unknown starts nothing. */
export function decideContainerRuntime(
    journal: ContainerRuntimeJournal,
    sight: ContainerRuntimeSight,
    before: Memory | undefined,
    now: number,
    limits: Limits,
): ContainerRuntimeDecision {
    const memory = remember(journal, sight, before, now);
    switch (journal.phase) {
        case "idle":
            return decideIdle(sight, memory, limits);
        case "changing":
            return decideChanging(journal, sight, memory, limits);
        case "reverting":
            return decideReverting(journal, sight, memory, limits);
        case "failed":
            return decideFailed(journal, sight, memory);
    }
}

/** The runtime that a phase wants the host to have. */
export function runtimeTarget(journal: ContainerRuntimeJournal): Runtime | undefined {
    switch (journal.phase) {
        case "changing":
            return journal.to;
        case "reverting":
            return journal.from;
        default:
            return undefined;
    }
}

function remember(
    journal: ContainerRuntimeJournal,
    sight: ContainerRuntimeSight,
    before: Memory | undefined,
    now: number,
): Memory {
    const { node, left } = sight;
    const target = runtimeTarget(journal);
    const isDraining = node !== "unknown" && node.isCordoned && left.length > 0;
    const idle = node === "unknown" && before ? before.about : `idle${isDraining ? ", draining" : ""}`;
    const about = target ? `${journal.phase} ${"attempts" in journal ? journal.attempts : ""}` : idle;
    const isWell = target !== undefined && isAt(sight, target);
    return counted(before, { about, isKnown: node !== "unknown", isWell, now });
}

function decideIdle(sight: ContainerRuntimeSight, memory: Memory, limits: Limits): ContainerRuntimeDecision {
    const { node, wanted, host, isHere, fetchProblem, told, left, isHealthy, unready, rebootOf, pod } = sight;
    const idle = (amiss?: string, actions: readonly ContainerRuntimeAction[] = [], notice?: Notice) => ({
        actions,
        journal: { phase: "idle" } as const,
        memory,
        ...(amiss !== undefined && { amiss }),
        ...(notice && { notice }),
    });
    if (node === "unknown" || node.isLeaving || sight.isOtherChanging) {
        return idle();
    }
    if ("refusal" in wanted) {
        return idle(wanted.refusal, [], warning("ContainerRuntimeRefused", wanted.refusal));
    }
    if (host === undefined) {
        return idle(undefined, [], warning("ContainerRuntimeUnknown", unknown));
    }
    if (host.current === wanted.id) {
        return idle();
    }
    if (!isHere) {
        const failed = fetchProblem === undefined ? undefined : warning("ContainerRuntimeFetchFailed", fetchProblem);
        return idle(`the container runtime ${wanted.id} is to be fetched`, ["fetch runtime"], failed);
    }
    if (told === undefined) {
        return idle(`the container runtime ${wanted.id} is to be asked`);
    }
    if ("fault" in told) {
        const reason = `the container runtime ${wanted.id} does not do: ${told.fault}`;
        return decideFailed({ phase: "failed", to: wanted.id, reason, pod }, sight, memory);
    }
    const { from, to } = told;
    const problem = stepProblem(from, to);
    if (problem !== undefined) {
        return idle(problem, [], warning("ContainerRuntimeRefused", problem));
    }
    const label = labelOf(to, from);
    if (!(node.isReady && isHealthy) || unready.length > 0) {
        return idle([`${label} waits for the node to be Ready`, ...unready].join("; "));
    }
    if (rebootOf !== undefined) {
        return idle(`${label} waits for the reboot of ${rebootOf}`);
    }
    if (!node.isCordoned) {
        return idle("the node is to be cordoned", ["cordon"]);
    }
    if (left.length > 0) {
        const message = `the node is drained for ${label}: ${left.join("; ")}`;
        const isLate = memory.seen >= limits.drain;
        return idle(message, ["evict"], isLate ? warning("ContainerRuntimeDrainBlocked", message) : undefined);
    }
    const change = `${labelOf(from, to)} gives way to ${label}`;
    return {
        actions: [],
        journal: { phase: "changing", from, to, attempts: 0 },
        memory,
        amiss: change,
        notice: normal("ContainerRuntimeChanging", change),
    };
}

const unknown =
    "This machine has its OS image's own container runtime, or was made before another one could be put in its place, so the node-agent leaves it as it is. Make the machine anew";

type Changing = Extract<ContainerRuntimeJournal, { phase: "changing" }>;

function decideChanging(
    journal: Changing,
    sight: ContainerRuntimeSight,
    memory: Memory,
    { settle, ready, silent }: Limits,
): ContainerRuntimeDecision {
    const { from, to, attempts } = journal;
    const { node, host } = sight;
    const label = labelOf(to, from);
    const amiss = `${label} is awaited`;
    const isBack = host?.current === from.id && host.request === undefined;
    const goBack = (reason: string): ContainerRuntimeDecision => ({
        actions: isBack ? [] : ["request runtime"],
        journal: { phase: "reverting", from, to, reason, pod: sight.pod },
        memory,
        amiss: reason,
        notice: warning("ContainerRuntimeReverting", `${reason}; going back to ${labelOf(from, to)}`),
    });
    if (isAt(sight, to) && memory.settled >= settle) {
        // The host goes back no more from then on; whether it did in this moment, the next look shows.
        if (host?.trial !== undefined) return { actions: ["keep runtime"], journal, memory, amiss };
        const notice = normal("ContainerRuntimeChanged", `${label} runs in the place of ${labelOf(from, to)}`);
        return { actions: [], journal: { phase: "idle" }, memory, amiss, notice };
    }
    if (attempts > 0 && host?.fault !== undefined) {
        return goBack(`${label} does not do: ${host.fault}`);
    }
    if (host?.current !== to.id && host?.request !== to.id) {
        if (attempts >= mostAttempts)
            return goBack(`the machine booted ${attempts} times before ${label} was known to do`);
        return { actions: ["request runtime"], journal: { ...journal, attempts: attempts + 1 }, memory, amiss };
    }
    if (memory.seen < ready && memory.silent < silent) {
        return { actions: [], journal, memory, amiss };
    }
    return goBack(
        node === "unknown"
            ? `the API has not answered for ${silent} s since ${label} was started`
            : `${label} did not do in ${Math.floor(memory.seen)} s: ${faultsOf(sight, to) || "it does not last"}`,
    );
}

type Reverting = Extract<ContainerRuntimeJournal, { phase: "reverting" }>;

function decideReverting(
    journal: Reverting,
    sight: ContainerRuntimeSight,
    memory: Memory,
    { settle, ready }: Limits,
): ContainerRuntimeDecision {
    const { from, to, reason, pod } = journal;
    const { host } = sight;
    const label = labelOf(from, to);
    if (isAt(sight, from) && memory.settled >= settle && host?.request === undefined) {
        return decideFailed(
            { phase: "failed", to: to.id, reason: `${reason}; ${label} runs again`, pod },
            sight,
            memory,
        );
    }
    const isAsked = host?.request === undefined ? host?.current === from.id : host.request === from.id;
    const actions = isAsked ? [] : (["request runtime"] as const);
    if (memory.seen < ready) {
        return { actions, journal, memory, amiss: reason };
    }
    // The host tries on by itself.
    const amiss = `${reason}; neither is the node Ready with ${label} again: ${faultsOf(sight, from)}`;
    return { actions, journal, memory, amiss, notice: warning("ContainerRuntimeLost", amiss) };
}

type Failed = Extract<ContainerRuntimeJournal, { phase: "failed" }>;

/** It stays as it is until another runtime is wanted, or another pod of the agent tries again. */
function decideFailed(journal: Failed, sight: ContainerRuntimeSight, memory: Memory): ContainerRuntimeDecision {
    const { to, reason } = journal;
    const { wanted, node, pod } = sight;
    const isSame = !("refusal" in wanted) && wanted.id === to;
    if (!isSame || pod !== journal.pod) {
        return { actions: [], journal: { phase: "idle" }, memory, amiss: reason };
    }
    const stays = "The node stays cordoned; delete its node-agent pod to retry";
    return {
        actions: keepCordoned(node),
        journal,
        memory,
        amiss: reason,
        notice: warning("ContainerRuntimeFailed", `${reason}. ${stays}`),
    };
}

function isAt(sight: ContainerRuntimeSight, runtime: Runtime): boolean {
    return sight.node !== "unknown" && faultsOf(sight, runtime) === "";
}

/** What is not so with a runtime. */
function faultsOf({ node, host, isHealthy, unready }: ContainerRuntimeSight, runtime: Runtime): string {
    const { isReady, runtimeVersion } = node === "unknown" ? { isReady: false, runtimeVersion: "nothing" } : node;
    const isStarted = host?.current === runtime.id && host.running === runtime.id;
    return [
        ...(isStarted ? [] : ["the machine did not start it"]),
        ...(isTold(runtime, runtimeVersion) ? [] : [`the kubelet finds ${runtimeVersion}`]),
        ...(isHealthy ? [] : ["the kubelet does not say that it is well"]),
        ...(isReady ? [] : ["the node is not Ready"]),
        ...unready.map((each) => `${each} is not Ready`),
    ].join(", ");
}
