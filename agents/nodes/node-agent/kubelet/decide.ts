import { isOlderMinor } from "../../../../clients/kubernetes/minor";
import { normal, warning } from "../../../../clients/kubernetes/nodes";
import {
    cordonFirst,
    drainFirst,
    type FailedChange,
    fetchFirst,
    isDead,
    isSettled,
    overdue,
    remember,
    stayFailed,
    type Trip,
    targetOf,
} from "../change";
import { type ChangeObservation, type Decision, type Step, warned } from "../decision";
import type { Kubelet, Limits } from "../plan";
import type { Memory } from "../progress";
import type { Issuance } from "./identity";

/** Progress of a change of the kubelet. */
export type Journal = { readonly phase: "idle" } | Upgrading | Reverting | FailedChange<Kubelet>;

interface Upgrading extends Trip<Kubelet> {
    readonly phase: "upgrading";
    /** The kubelet was selected and its start requested. */
    readonly isSwitched: boolean;
}

interface Reverting extends Trip<Kubelet> {
    readonly phase: "reverting";
    readonly reason: string;
    /** The previous kubelet was selected and its start requested. */
    readonly isSwitched: boolean;
    /** Number of failed starts of the previous kubelet. */
    readonly attempts: number;
    /**
     * UID of the agent's pod that gave up. @default - the pod that finds the previous kubelet restored (written by earlier
     * agents)
     */
    readonly pod?: string;
}

/** Observed state of the node. */
export interface Observed extends ChangeObservation {
    readonly node: "unknown" | NodeObservation;
    readonly desired: Kubelet | { readonly refusal: string };
    /** The kubelet that runs at the next start. */
    readonly selected: Kubelet;
    /** The kubelet that was started last. @default - not recorded */
    readonly running?: Kubelet;
    /** Version of the oldest apiserver that answers. @default - none answers */
    readonly apiVersion?: string;
    /** Pods to evict before the kubelet may change its minor version, each with its state. */
    readonly left: readonly string[];
    /** The kubelet reports that it is healthy. */
    readonly isHealthy: boolean;
    /** What a kubelet that ended logged last. @default - none ended */
    readonly lastError?: string | undefined;
    /** Issuer of the selected kubelet's certificates. */
    readonly issuance: Issuance;
}

export interface NodeObservation {
    /** Version of the kubelet that registered last, without the `v`. */
    readonly version: string;
    readonly isReady: boolean;
    readonly isCordoned: boolean;
    /** Cordoned by the agent. */
    readonly isOurs: boolean;
    /** It is being removed from the cluster. */
    readonly isLeaving: boolean;
}

/** `switch` selects the kubelet named in the journal. */
export type Action = "fetch" | "switch" | "uncordon";

const withoutCertificate = "the kubelet waits for a certificate";

type KubeletDecision = Decision<Journal, Action>;

/** Decides what to do about the node's kubelet. */
export function decide(
    journal: Journal,
    observed: Observed,
    before: Memory | undefined,
    now: number,
    limits: Limits,
): KubeletDecision {
    const target = targetOf(journal);
    const faults = target && faultsOf(observed, target);
    const memory = remember(journal, observed, [before, now], faults, !observed.isHealthy);
    switch (journal.phase) {
        case "idle":
            return decideIdle(observed, memory, limits);
        case "upgrading":
            return decideUpgrading(journal, observed, memory, limits);
        case "reverting":
            return decideReverting(journal, observed, memory, limits);
        case "failed":
            return decideFailed(journal, observed, memory);
    }
}

function decideIdle(observed: Observed, memory: Memory, limits: Limits): KubeletDecision {
    const { node, desired: to, selected: from, apiVersion, isHere, isHealthy, issuance, left } = observed;
    const idle = (step: Step<Action> = {}): KubeletDecision => {
        return { actions: [], ...step, journal: { phase: "idle" }, memory };
    };
    if (node === "unknown") return idle({ notReadyBecause: "the API does not answer" });
    if ("refusal" in to) return idle(warned("KubeletVersionRefused", to.refusal));
    if (node.isLeaving) return idle();
    const isReady = node.isReady && isHealthy;
    if (runs(to, node.version, from) && issuance !== "others") {
        if (!isReady) return idle({ notReadyBecause: "the node is not Ready" });
        if (issuance === "awaited") return idle({ notReadyBecause: withoutCertificate });
        return idle(node.isOurs ? { notReadyBecause: "the node must be uncordoned", actions: ["uncordon"] } : {});
    }
    if (!isHere) return idle(fetchFirst("Kubelet", "fetch", `kubelet ${to.version}`, observed));
    if (apiVersion === undefined) return idle({ notReadyBecause: "no apiserver reports its version" });
    if (isOlderMinor(apiVersion, to.version)) {
        const message = `kubelet ${to.version} is waiting for the apiserver to be upgraded from ${apiVersion}: a kubelet must not be newer`;
        return idle(warned("KubeletWaitsForApiserver", message));
    }
    // It terminates no pods, and has nothing to lose.
    const isLost = isDead(memory, limits);
    if (!isReady && !isLost) {
        return idle({ notReadyBecause: `kubelet ${to.version}: waiting for the node to be Ready` });
    }
    const label = labelOf(to, from);
    const wait =
        cordonFirst(label, observed) ?? (isLost ? undefined : drainFirst("Kubelet", label, left, memory, limits));
    if (wait) return idle(wait);
    const change = `switching from ${labelOf(from, to)} to ${label}`;
    return {
        actions: ["switch"],
        journal: { phase: "upgrading", from, to, isSwitched: false },
        memory,
        notReadyBecause: change,
        notice: normal("KubeletUpgrading", change),
    };
}

function decideUpgrading(journal: Upgrading, observed: Observed, memory: Memory, limits: Limits): KubeletDecision {
    const { from, to, isSwitched } = journal;
    const [old, label] = [labelOf(from, to), labelOf(to, from)];
    const waiting = { actions: [], journal, memory, notReadyBecause: `waiting for ${label}` };
    if (!isSwitched) return { ...waiting, actions: ["switch"] };
    const faults = faultsOf(observed, to);
    if (isSettled(faults, memory, limits)) {
        const notice = normal("KubeletUpgraded", `${label} replaced ${old}`);
        return { ...waiting, journal: { phase: "idle" }, notice };
    }
    const reason = overdue(label, observed, faults, memory, limits);
    if (reason === undefined) return waiting;
    return {
        actions: ["switch"],
        journal: { phase: "reverting", from, to, reason, attempts: 0, isSwitched: false, pod: observed.pod },
        memory,
        notReadyBecause: reason,
        notice: warning("KubeletReverting", `${reason}; reverting to ${old}`),
    };
}

function decideReverting(journal: Reverting, observed: Observed, memory: Memory, limits: Limits): KubeletDecision {
    const { from, to, reason, isSwitched, attempts, pod = observed.pod } = journal;
    const old = labelOf(from, to);
    const reverting = { actions: [], journal, memory, notReadyBecause: reason };
    if (!isSwitched) return { ...reverting, actions: ["switch"] };
    if (isSettled(faultsOf(observed, from), memory, limits)) {
        const failed = { phase: "failed", to, reason: `${reason}; ${old} runs again`, pod } as const;
        // Recorded even if the pod that gave up no longer exists, so that the next one retries.
        return { ...decideFailed(failed, observed, memory), journal: failed };
    }
    if (memory.observed < limits.ready) return reverting;
    // No other pod could report it: without a kubelet none starts.
    const lost = `${reason}; after the revert to ${old.replace("kubelet ", "")} it is not Ready either`;
    return {
        actions: ["switch"],
        journal: { ...journal, attempts: attempts + 1, isSwitched: false },
        memory,
        ...warned("KubeletLost", lost),
    };
}

function decideFailed(journal: FailedChange<Kubelet>, observed: Observed, memory: Memory): KubeletDecision {
    const { to } = journal;
    const { desired } = observed;
    const isDesired = !("refusal" in desired) && isKubelet(desired, to) && desired.sha256 === to.sha256;
    const isSame = isDesired && faultsOf(observed, to).length > 0;
    return { ...stayFailed("KubeletUpgradeFailed", journal, observed, isSame), memory };
}

/**
 * Why a kubelet that was started does not work. To the API, a kubelet restarted with other settings is the same: the last
 * start says more.
 */
function faultsOf({ node, running, isHealthy, lastError, issuance }: Observed, kubelet: Kubelet): string[] {
    const { version, isReady } = node === "unknown" ? { version: "unknown", isReady: false } : node;
    return [
        ...(isHealthy ? [] : [`the kubelet is not healthy${lastError ? ` (its last error: ${lastError})` : ""}`]),
        ...(version === kubelet.version ? [] : [`its registered version is still ${version}`]),
        ...(running ? [] : ["its start is not recorded"]),
        ...(!running || isKubelet(running, kubelet) ? [] : ["another kubelet is running"]),
        ...(isReady ? [] : ["the node is not Ready"]),
        ...(issuance === "desired" ? [] : [withoutCertificate]),
    ];
}

/** Distinguishes a kubelet from another. */
function labelOf({ version, settings }: Kubelet, other: Kubelet): string {
    return `kubelet ${version}${version === other.version ? ` with settings ${settings}` : ""}`;
}

/** Whether a node runs its desired kubelet, by the registered version and the selection. */
export function runs(desired: Kubelet, version: string, selected: Kubelet): boolean {
    return version === desired.version && isKubelet(selected, desired);
}

function isKubelet(one: Kubelet, other: Kubelet): boolean {
    return one.version === other.version && one.settings === other.settings;
}
