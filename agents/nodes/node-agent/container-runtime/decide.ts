import { type Notice, normal, warning } from "../../../../clients/kubernetes/nodes";
import { counted, keepCordoned, type Memory } from "../memory";
import type { Limits } from "../plan";
import type { ContainerRuntimeJournal } from "./journal";
import { isTold, labelOf, type Runtime, stepProblem } from "./runtime";
import type { RuntimeHost } from "./runtimes";

/** Observed state of the node and its container runtime. */
export interface ContainerRuntimeObservation {
    readonly node: "unknown" | RuntimeNodeObservation;
    /** ID of the desired runtime, or why there is none. */
    readonly wanted: { readonly id: string } | { readonly refusal: string };
    /** @default - its runtime can't be changed */
    readonly host?: RuntimeHost;
    /** The desired runtime is complete on the disk. */
    readonly isHere: boolean;
    /** Why the last download failed. */
    readonly fetchProblem?: string;
    /** Versions reported by the host's runtime and the desired one. @default - not queried */
    readonly told?: { readonly from: Runtime; readonly to: Runtime } | { readonly fault: string };
    /** Pods to evict first, each with its state. */
    readonly left: readonly string[];
    /** The kubelet reports that it is healthy. */
    readonly isHealthy: boolean;
    /** Pods of the control plane on this node that are not Ready. */
    readonly unready: readonly string[];
    /** A change of the kubelet or of CNI plugins is in progress or has failed. */
    readonly isOtherChanging: boolean;
    /** Another node whose machine is being rebooted. @default - none */
    readonly rebootOf?: string;
    /** UID of the pod that the agent runs in. */
    readonly pod: string;
}

export interface RuntimeNodeObservation {
    readonly isReady: boolean;
    readonly isCordoned: boolean;
    /** It is being removed from the cluster. */
    readonly isLeaving: boolean;
    /** The runtime last reported by its kubelet: `containerd://2.4.2`. */
    readonly runtimeVersion: string;
}

/** `request runtime` requests the one named in the journal. */
export type ContainerRuntimeAction = "fetch runtime" | "cordon" | "evict" | "request runtime" | "keep runtime";

export interface ContainerRuntimeDecision {
    /** In this order, after the journal is written. */
    readonly actions: readonly ContainerRuntimeAction[];
    readonly journal: ContainerRuntimeJournal;
    readonly memory: Memory;
    /** Progress of a change, during which the kubelet is left alone. @default - none */
    readonly notReadyBecause?: string;
    readonly notice?: Notice;
}

/** How often a runtime is tried whose machine reboots before it is known to work. */
const mostAttempts = 3;

/** Decides what to do about the node's container runtime. Unknown observations start nothing. */
export function decideContainerRuntime(
    journal: ContainerRuntimeJournal,
    observed: ContainerRuntimeObservation,
    before: Memory | undefined,
    now: number,
    limits: Limits,
): ContainerRuntimeDecision {
    const memory = remember(journal, observed, before, now);
    switch (journal.phase) {
        case "idle":
            return decideIdle(observed, memory, limits);
        case "changing":
            return decideChanging(journal, observed, memory, limits);
        case "reverting":
            return decideReverting(journal, observed, memory, limits);
        case "failed":
            return decideFailed(journal, observed, memory);
    }
}

/** The runtime that the host should have in a phase. */
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
    observed: ContainerRuntimeObservation,
    before: Memory | undefined,
    now: number,
): Memory {
    const { node, left } = observed;
    const target = runtimeTarget(journal);
    const isDraining = node !== "unknown" && node.isCordoned && left.length > 0;
    const idle = node === "unknown" && before ? before.about : `idle${isDraining ? ", draining" : ""}`;
    const about = target ? `${journal.phase} ${"attempts" in journal ? journal.attempts : ""}` : idle;
    const isWell = target !== undefined && isAt(observed, target);
    return counted(before, { about, isKnown: node !== "unknown", isWell, now });
}

function decideIdle(observed: ContainerRuntimeObservation, memory: Memory, limits: Limits): ContainerRuntimeDecision {
    const { node, wanted, host, isHere, fetchProblem, told, left, isHealthy, unready, rebootOf, pod } = observed;
    const idle = (notReadyBecause?: string, actions: readonly ContainerRuntimeAction[] = [], notice?: Notice) => ({
        actions,
        journal: { phase: "idle" } as const,
        memory,
        ...(notReadyBecause !== undefined && { notReadyBecause }),
        ...(notice && { notice }),
    });
    if (node === "unknown" || node.isLeaving || observed.isOtherChanging) {
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
        return idle(`container runtime ${wanted.id} must be fetched`, ["fetch runtime"], failed);
    }
    if (told === undefined) {
        return idle(`container runtime ${wanted.id} must be queried for its version`);
    }
    if ("fault" in told) {
        const reason = `container runtime ${wanted.id} does not work: ${told.fault}`;
        return decideFailed({ phase: "failed", to: wanted.id, reason, pod }, observed, memory);
    }
    const { from, to } = told;
    const problem = stepProblem(from, to);
    if (problem !== undefined) {
        return idle(problem, [], warning("ContainerRuntimeRefused", problem));
    }
    const label = labelOf(to, from);
    if (!(node.isReady && isHealthy) || unready.length > 0) {
        return idle([`${label}: waiting for the node to be Ready`, ...unready].join("; "));
    }
    if (rebootOf !== undefined) {
        return idle(`${label}: waiting for the reboot of ${rebootOf}`);
    }
    if (!node.isCordoned) {
        return idle("the node must be cordoned", ["cordon"]);
    }
    if (left.length > 0) {
        const message = `draining the node for ${label}: ${left.join("; ")}`;
        const isLate = memory.seen >= limits.drain;
        return idle(message, ["evict"], isLate ? warning("ContainerRuntimeDrainBlocked", message) : undefined);
    }
    const change = `switching from ${labelOf(from, to)} to ${label}`;
    return {
        actions: [],
        journal: { phase: "changing", from, to, attempts: 0 },
        memory,
        notReadyBecause: change,
        notice: normal("ContainerRuntimeChanging", change),
    };
}

const unknown =
    "This machine has its OS image's own container runtime, or an older release created it, so the node-agent leaves it unchanged. Recreate the machine";

type Changing = Extract<ContainerRuntimeJournal, { phase: "changing" }>;

function decideChanging(
    journal: Changing,
    observed: ContainerRuntimeObservation,
    memory: Memory,
    { settle, ready, silent }: Limits,
): ContainerRuntimeDecision {
    const { from, to, attempts } = journal;
    const { node, host } = observed;
    const label = labelOf(to, from);
    const notReadyBecause = `waiting for ${label}`;
    const isBack = host?.current === from.id && host.request === undefined;
    const goBack = (reason: string): ContainerRuntimeDecision => ({
        actions: isBack ? [] : ["request runtime"],
        journal: { phase: "reverting", from, to, reason, pod: observed.pod },
        memory,
        notReadyBecause: reason,
        notice: warning("ContainerRuntimeReverting", `${reason}; reverting to ${labelOf(from, to)}`),
    });
    if (isAt(observed, to) && memory.settled >= settle) {
        // The host no longer reverts from then on; the next reconcile shows whether it did just now.
        if (host?.trial !== undefined) return { actions: ["keep runtime"], journal, memory, notReadyBecause };
        const notice = normal("ContainerRuntimeChanged", `${label} replaced ${labelOf(from, to)}`);
        return { actions: [], journal: { phase: "idle" }, memory, notReadyBecause, notice };
    }
    if (attempts > 0 && host?.fault !== undefined) {
        return goBack(`${label} does not work: ${host.fault}`);
    }
    if (host?.current !== to.id && host?.request !== to.id) {
        if (attempts >= mostAttempts)
            return goBack(`the machine booted ${attempts} times before ${label} was known to work`);
        return {
            actions: ["request runtime"],
            journal: { ...journal, attempts: attempts + 1 },
            memory,
            notReadyBecause,
        };
    }
    if (memory.seen < ready && memory.silent < silent) {
        return { actions: [], journal, memory, notReadyBecause };
    }
    return goBack(
        node === "unknown"
            ? `the API has not answered for ${silent} s since ${label} was started`
            : `${label} did not work within ${Math.floor(memory.seen)} s: ${faultsOf(observed, to) || "it did not stay healthy"}`,
    );
}

type Reverting = Extract<ContainerRuntimeJournal, { phase: "reverting" }>;

function decideReverting(
    journal: Reverting,
    observed: ContainerRuntimeObservation,
    memory: Memory,
    { settle, ready }: Limits,
): ContainerRuntimeDecision {
    const { from, to, reason, pod } = journal;
    const { host } = observed;
    const label = labelOf(from, to);
    if (isAt(observed, from) && memory.settled >= settle && host?.request === undefined) {
        return decideFailed(
            { phase: "failed", to: to.id, reason: `${reason}; ${label} runs again`, pod },
            observed,
            memory,
        );
    }
    const isAsked = host?.request === undefined ? host?.current === from.id : host.request === from.id;
    const actions = isAsked ? [] : (["request runtime"] as const);
    if (memory.seen < ready) {
        return { actions, journal, memory, notReadyBecause: reason };
    }
    // The host keeps trying by itself.
    const notReadyBecause = `${reason}; after the revert to ${label} the node is not Ready either: ${faultsOf(observed, from)}`;
    return { actions, journal, memory, notReadyBecause, notice: warning("ContainerRuntimeLost", notReadyBecause) };
}

type Failed = Extract<ContainerRuntimeJournal, { phase: "failed" }>;

/** Stays failed until another runtime is desired, or another pod of the agent retries. */
function decideFailed(
    journal: Failed,
    observed: ContainerRuntimeObservation,
    memory: Memory,
): ContainerRuntimeDecision {
    const { to, reason } = journal;
    const { wanted, node, pod } = observed;
    const isSame = !("refusal" in wanted) && wanted.id === to;
    if (!isSame || pod !== journal.pod) {
        return { actions: [], journal: { phase: "idle" }, memory, notReadyBecause: reason };
    }
    const stays = "The node stays cordoned; delete its node-agent pod to retry";
    return {
        actions: keepCordoned(node),
        journal,
        memory,
        notReadyBecause: reason,
        notice: warning("ContainerRuntimeFailed", `${reason}. ${stays}`),
    };
}

function isAt(observed: ContainerRuntimeObservation, runtime: Runtime): boolean {
    return observed.node !== "unknown" && faultsOf(observed, runtime) === "";
}

/** What is wrong with a runtime. */
function faultsOf({ node, host, isHealthy, unready }: ContainerRuntimeObservation, runtime: Runtime): string {
    const { isReady, runtimeVersion } = node === "unknown" ? { isReady: false, runtimeVersion: "nothing" } : node;
    const isStarted = host?.current === runtime.id && host.running === runtime.id;
    return [
        ...(isStarted ? [] : ["the machine did not start it"]),
        ...(isTold(runtime, runtimeVersion) ? [] : [`the kubelet reports ${runtimeVersion}`]),
        ...(isHealthy ? [] : ["the kubelet is not healthy"]),
        ...(isReady ? [] : ["the node is not Ready"]),
        ...unready.map((each) => `${each} is not Ready`),
    ].join(", ");
}
