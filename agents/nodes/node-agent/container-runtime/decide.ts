import { normal, warning } from "../../../../clients/kubernetes/nodes";
import {
    cordonFirst,
    drainFirst,
    type FailedChange,
    fetchFirst,
    isSettled,
    overdue,
    remember,
    stayFailed,
    type Trip,
    targetOf,
} from "../change";
import { type ChangeObservation, type Decision, type Step, warned } from "../decision";
import type { Limits } from "../plan";
import type { Memory } from "../progress";
import { hasVersion, labelOf, type Runtime, stepProblem } from "./runtime";
import type { RuntimeHost } from "./runtimes";

/** Progress of a change of the container runtime. A failure names its ID. */
export type ContainerRuntimeJournal = { readonly phase: "idle" } | Changing | Reverting | FailedChange<string>;

interface Changing extends Trip<Runtime> {
    readonly phase: "changing";
    /** How often the host was asked for it: a reboot before it is known to work reverts it. */
    readonly attempts: number;
}

interface Reverting extends Trip<Runtime> {
    readonly phase: "reverting";
    readonly reason: string;
    /** UID of the agent's pod that gave up. */
    readonly pod: string;
}

/** Observed state of the node and its container runtime. */
export interface ContainerRuntimeObservation extends ChangeObservation {
    readonly node: "unknown" | RuntimeNodeObservation;
    /** ID of the desired runtime, or why there is none. */
    readonly desired: { readonly id: string } | { readonly refusal: string };
    /** @default - its runtime can't be changed */
    readonly host?: RuntimeHost;
    /** Versions reported by the host's runtime and the desired one. @default - not queried */
    readonly reported?: { readonly from: Runtime; readonly to: Runtime } | { readonly fault: string };
    readonly left: readonly string[];
    /** The kubelet reports that it is healthy. */
    readonly isHealthy: boolean;
    /** Pods of the control plane on this node that are not Ready. */
    readonly unready: readonly string[];
    /** A change of the kubelet or of CNI plugins is in progress or has failed. */
    readonly isOtherChanging: boolean;
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
export type ContainerRuntimeAction = "fetch runtime" | "request runtime" | "keep runtime";

/** How often a runtime is tried whose machine reboots before it is known to work. */
const mostAttempts = 3;

const unknown =
    "This machine has its OS image's own container runtime, or an older release created it, so the node-agent leaves it unchanged. Recreate the machine";

type ContainerRuntimeDecision = Decision<ContainerRuntimeJournal, ContainerRuntimeAction>;

/** Decides what to do about the node's container runtime. */
export function decideContainerRuntime(
    journal: ContainerRuntimeJournal,
    observed: ContainerRuntimeObservation,
    before: Memory | undefined,
    now: number,
    limits: Limits,
): ContainerRuntimeDecision {
    const target = targetOf(journal);
    const memory = remember(journal, observed, [before, now], target && faultsOf(observed, target));
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

function decideIdle(observed: ContainerRuntimeObservation, memory: Memory, limits: Limits): ContainerRuntimeDecision {
    const { node, desired, host, isHere, reported, isHealthy, unready, left, isOtherChanging } = observed;
    const idle = (step: Step<ContainerRuntimeAction> = {}): ContainerRuntimeDecision => {
        return { actions: [], ...step, journal: { phase: "idle" }, memory };
    };
    if (node === "unknown" || node.isLeaving || isOtherChanging) return idle();
    if ("refusal" in desired) return idle(warned("ContainerRuntimeRefused", desired.refusal));
    if (host === undefined) return idle({ notice: warning("ContainerRuntimeUnknown", unknown) });
    if (host.current === desired.id) return idle();
    const named = `container runtime ${desired.id}`;
    if (!isHere) return idle(fetchFirst("ContainerRuntime", "fetch runtime", named, observed));
    if (reported === undefined) return idle({ notReadyBecause: `${named} must be queried for its version` });
    if ("fault" in reported) {
        const reason = `${named} does not work: ${reported.fault}`;
        return decideFailed({ phase: "failed", to: desired.id, reason, pod: observed.pod }, observed, memory);
    }
    const { from, to } = reported;
    const problem = stepProblem(from, to);
    if (problem !== undefined) return idle(warned("ContainerRuntimeRefused", problem));
    const label = labelOf(to, from);
    if (!(node.isReady && isHealthy) || unready.length > 0) {
        return idle({ notReadyBecause: [`${label}: waiting for the node to be Ready`, ...unready].join("; ") });
    }
    const wait = cordonFirst(label, observed) ?? drainFirst("ContainerRuntime", label, left, memory, limits);
    if (wait) return idle(wait);
    const change = `switching from ${labelOf(from, to)} to ${label}`;
    return {
        actions: [],
        journal: { phase: "changing", from, to, attempts: 0 },
        memory,
        notReadyBecause: change,
        notice: normal("ContainerRuntimeChanging", change),
    };
}

function decideChanging(
    journal: Changing,
    observed: ContainerRuntimeObservation,
    memory: Memory,
    limits: Limits,
): ContainerRuntimeDecision {
    const { from, to, attempts } = journal;
    const { host, pod } = observed;
    const [old, label] = [labelOf(from, to), labelOf(to, from)];
    const waiting = { actions: [], journal, memory, notReadyBecause: `waiting for ${label}` };
    const revert = (reason: string): ContainerRuntimeDecision => ({
        actions: requestBack(observed, from),
        journal: { phase: "reverting", from, to, reason, pod },
        memory,
        notReadyBecause: reason,
        notice: warning("ContainerRuntimeReverting", `${reason}; reverting to ${old}`),
    });
    const faults = faultsOf(observed, to);
    if (isSettled(faults, memory, limits)) {
        // The host no longer reverts from then on; the next reconcile shows whether it did just now.
        if (host?.trial !== undefined) return { ...waiting, actions: ["keep runtime"] };
        const notice = normal("ContainerRuntimeChanged", `${label} replaced ${old}`);
        return { ...waiting, journal: { phase: "idle" }, notice };
    }
    if (attempts > 0 && host?.fault !== undefined) return revert(`${label} does not work: ${host.fault}`);
    if (host?.current !== to.id && host?.request !== to.id) {
        return attempts >= mostAttempts
            ? revert(`the machine booted ${attempts} times before ${label} was known to work`)
            : { ...waiting, actions: ["request runtime"], journal: { ...journal, attempts: attempts + 1 } };
    }
    const problem = overdue(label, observed, faults, memory, limits);
    return problem === undefined ? waiting : revert(problem);
}

function decideReverting(
    journal: Reverting,
    observed: ContainerRuntimeObservation,
    memory: Memory,
    limits: Limits,
): ContainerRuntimeDecision {
    const { from, to, reason, pod } = journal;
    const label = labelOf(from, to);
    const faults = faultsOf(observed, from);
    if (isSettled(faults, memory, limits) && observed.host?.request === undefined) {
        const failed = { phase: "failed", to: to.id, reason: `${reason}; ${label} runs again`, pod } as const;
        return decideFailed(failed, observed, memory);
    }
    const reverting = { actions: requestBack(observed, from), journal, memory };
    if (memory.observed < limits.ready) return { ...reverting, notReadyBecause: reason };
    // The host keeps trying by itself.
    const lost = `${reason}; after the revert to ${label} the node is not Ready either: ${faults.join(", ")}`;
    return { ...reverting, ...warned("ContainerRuntimeLost", lost) };
}

function decideFailed(
    journal: FailedChange<string>,
    observed: ContainerRuntimeObservation,
    memory: Memory,
): ContainerRuntimeDecision {
    const { desired } = observed;
    const isSame = !("refusal" in desired) && desired.id === journal.to;
    return { ...stayFailed("ContainerRuntimeFailed", journal, observed, isSame), memory };
}

function requestBack({ host }: ContainerRuntimeObservation, from: Runtime): readonly ContainerRuntimeAction[] {
    const isRequested = host?.request === undefined ? host?.current === from.id : host.request === from.id;
    return isRequested ? [] : ["request runtime"];
}

/** Why a runtime that was requested does not work. */
function faultsOf({ node, host, isHealthy, unready }: ContainerRuntimeObservation, runtime: Runtime): string[] {
    const { isReady, runtimeVersion } = node === "unknown" ? { isReady: false, runtimeVersion: "nothing" } : node;
    const isStarted = host?.current === runtime.id && host.running === runtime.id;
    return [
        ...(isStarted ? [] : ["the machine did not start it"]),
        ...(hasVersion(runtime, runtimeVersion) ? [] : [`the kubelet reports ${runtimeVersion}`]),
        ...(isHealthy ? [] : ["the kubelet is not healthy"]),
        ...(isReady ? [] : ["the node is not Ready"]),
        ...unready.map((each) => `${each} is not Ready`),
    ];
}
