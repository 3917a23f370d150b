import { isNewerMinor, type Notice, normal, warning } from "../../../../clients/kubernetes/nodes";
import { counted, keepCordoned, type Memory } from "../memory";
import type { Kubelet, Limits } from "../plan";
import type { Issuance } from "./identity";
import type { Journal } from "./journal";

/** Observed state of the node. */
export interface Observed {
    /** The Node in the API. */
    readonly node: "unknown" | NodeObservation;
    /** The desired kubelet, or why there is none. */
    readonly wanted: Kubelet | { readonly refusal: string };
    /** The kubelet that runs at the next start. */
    readonly selected: Kubelet;
    /** The kubelet that was started last. @default - not recorded */
    readonly running?: Kubelet;
    /** The desired kubelet is complete on the disk. */
    readonly isHere: boolean;
    /** Why the last download failed. */
    readonly fetchProblem?: string;
    /** Version of the oldest apiserver that answers. @default - none answers */
    readonly apiVersion?: string;
    /** Pods to evict before the kubelet may change its minor version, each with its state. */
    readonly left: readonly string[];
    /** Another node whose machine is being rebooted. @default - none */
    readonly rebootOf?: string;
    /** The kubelet reports that it is healthy. */
    readonly isHealthy: boolean;
    /** Issuer of the selected kubelet's certificates. */
    readonly issuance: Issuance;
    /** UID of the pod that the agent runs in. */
    readonly pod: string;
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

export type Action = "fetch" | "cordon" | "evict" | "switch" | "uncordon";

export interface Decision {
    /** In this order, after the journal is written. `switch` selects the kubelet named in the journal. */
    readonly actions: readonly Action[];
    readonly journal: Journal;
    readonly memory: Memory;
    /** Why the node is not in the desired state. @default - it is */
    readonly notReadyBecause?: string;
    readonly notice?: Notice;
}

/**
 * Decides what to do about the node's kubelet. Unknown observations start nothing, and count against only one timeout.
 */
export function decide(
    journal: Journal,
    observed: Observed,
    before: Memory | undefined,
    now: number,
    limits: Limits,
): Decision {
    const memory = remember(journal, observed, before, now);
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

/** The kubelet that should run in a phase. */
export function targetOf(journal: Journal): Kubelet | undefined {
    switch (journal.phase) {
        case "upgrading":
            return journal.to;
        case "reverting":
            return journal.from;
        default:
            return undefined;
    }
}

function remember(journal: Journal, observed: Observed, before: Memory | undefined, now: number): Memory {
    const { node } = observed;
    const target = targetOf(journal);
    const about = target
        ? `${journal.phase} ${target.version} ${target.settings} ${"attempts" in journal ? journal.attempts : ""}`
        : aboutIdle(observed, before);
    const isWell = target !== undefined && isAt(observed, target);
    return counted(before, { about, isKnown: node !== "unknown", isWell, now });
}

function aboutIdle({ node, isHealthy, left }: Observed, before: Memory | undefined): string {
    if (node === "unknown") {
        return before?.about ?? "idle";
    }
    return isHealthy ? `idle ${node.isCordoned && left.length > 0 ? "draining" : ""}` : unwell;
}

const unwell = "idle and unwell";

const withoutCertificate = "the kubelet waits for a certificate";

function decideIdle(observed: Observed, memory: Memory, { drain, ready }: Limits): Decision {
    const { node, wanted, selected, isHere, fetchProblem, apiVersion, left, isHealthy, rebootOf, issuance } = observed;
    const idle = (notReadyBecause?: string, actions: readonly Action[] = [], notice?: Notice): Decision => ({
        actions,
        journal: { phase: "idle" },
        memory,
        ...(notReadyBecause !== undefined && { notReadyBecause }),
        ...(notice && { notice }),
    });
    if (node === "unknown") {
        return idle("the API does not answer");
    }
    if ("refusal" in wanted) {
        return idle(wanted.refusal, [], warning("KubeletVersionRefused", wanted.refusal));
    }
    const isAsWanted = runs(wanted, node.version, selected) && issuance !== "others";
    if (isAsWanted || node.isLeaving) {
        if (!node.isLeaving && !(node.isReady && isHealthy)) {
            return idle("the node is not Ready");
        }
        if (!node.isLeaving && issuance === "awaited") {
            return idle(withoutCertificate);
        }
        return node.isOurs && !node.isLeaving ? idle("the node must be uncordoned", ["uncordon"]) : idle();
    }
    if (!isHere) {
        const message = `kubelet ${wanted.version} must be fetched`;
        return fetchProblem === undefined
            ? idle(message, ["fetch"])
            : idle(message, ["fetch"], warning("KubeletFetchFailed", fetchProblem));
    }
    if (apiVersion === undefined) {
        return idle("no apiserver reports its version");
    }
    if (isNewerMinor(wanted.version, apiVersion)) {
        const message = `kubelet ${wanted.version} is waiting for the apiserver to be upgraded from ${apiVersion}: a kubelet must not be newer`;
        return idle(message, [], warning("KubeletWaitsForApiserver", message));
    }
    // A dead kubelet terminates no pods, and has nothing to lose.
    const isDead = memory.about === unwell && memory.seen >= ready;
    if (!(node.isReady && isHealthy) && !isDead) {
        return idle(`kubelet ${wanted.version}: waiting for the node to be Ready`);
    }
    // Checked in each reconcile, also after the cordon, which the reboot approver checks.
    if (rebootOf !== undefined) {
        return idle(`kubelet ${wanted.version}: waiting for the reboot of ${rebootOf}`);
    }
    if (!node.isCordoned) {
        return idle("the node must be cordoned", ["cordon"]);
    }
    if (left.length > 0 && !isDead) {
        const message = `draining the node for kubelet ${wanted.version}: ${left.join("; ")}`;
        const late = memory.seen >= drain ? warning("KubeletDrainBlocked", message) : undefined;
        return idle(message, ["evict"], late);
    }
    const change = `${labelOf(selected, wanted)} to ${labelOf(wanted, selected)}`;
    return {
        actions: ["switch"],
        journal: { phase: "upgrading", from: selected, to: wanted, isSwitched: false },
        memory,
        notReadyBecause: `switching from kubelet ${change}`,
        notice: normal("KubeletUpgrading", `Switching from kubelet ${change}`),
    };
}

function decideUpgrading(
    journal: Extract<Journal, { phase: "upgrading" }>,
    observed: Observed,
    memory: Memory,
    limits: Limits,
): Decision {
    const { from, to } = journal;
    const [before, after] = [labelOf(from, to), labelOf(to, from)];
    const notReadyBecause = `waiting for kubelet ${after}`;
    if (!journal.isSwitched) {
        return { actions: ["switch"], journal, memory, notReadyBecause };
    }
    if (memory.settled >= limits.settle && isAt(observed, to)) {
        const notice = normal("KubeletUpgraded", `Kubelet ${after} replaced ${before}`);
        return { actions: [], journal: { phase: "idle" }, memory, notReadyBecause, notice };
    }
    if (memory.seen < limits.ready && memory.silent < limits.silent) {
        return { actions: [], journal, memory, notReadyBecause };
    }
    const reason = whyNot(to, after, observed, memory, limits);
    return {
        actions: ["switch"],
        journal: { phase: "reverting", from, to, reason, attempts: 0, isSwitched: false, pod: observed.pod },
        memory,
        notReadyBecause: reason,
        notice: warning("KubeletReverting", `${reason}; reverting to ${before}`),
    };
}

function decideReverting(
    journal: Extract<Journal, { phase: "reverting" }>,
    observed: Observed,
    memory: Memory,
    limits: Limits,
): Decision {
    const { from, to, reason } = journal;
    const label = labelOf(from, to);
    if (!journal.isSwitched) {
        return { actions: ["switch"], journal, memory, notReadyBecause: reason };
    }
    const isBack = memory.settled >= limits.settle && isAt(observed, from);
    if (!isBack && memory.seen < limits.ready) {
        return { actions: [], journal, memory, notReadyBecause: reason };
    }
    if (!isBack) {
        // No other pod could report it: without a kubelet none starts.
        const notReadyBecause = `${reason}; after the revert to ${label} it is not Ready either`;
        const again: Journal = { ...journal, attempts: journal.attempts + 1, isSwitched: false };
        return {
            actions: ["switch"],
            journal: again,
            memory,
            notReadyBecause,
            notice: warning("KubeletLost", notReadyBecause),
        };
    }
    const end = `${reason}; kubelet ${label} runs again`;
    // From the pod that gave up: a newer pod may retry.
    const failed: Journal = { phase: "failed", to, reason: end, pod: journal.pod ?? observed.pod };
    return { ...decideFailed(failed, observed, memory), journal: failed };
}

/** Stays failed until another kubelet is desired, or another pod of the agent retries. */
function decideFailed(journal: Extract<Journal, { phase: "failed" }>, observed: Observed, memory: Memory): Decision {
    const { to, reason, pod } = journal;
    const { wanted, node } = observed;
    const isSame = !("refusal" in wanted) && isKubelet(wanted, to) && wanted.sha256 === to.sha256;
    if (!isSame || pod !== observed.pod || isAt(observed, to)) {
        return { actions: [], journal: { phase: "idle" }, memory, notReadyBecause: reason };
    }
    return {
        actions: keepCordoned(node),
        journal,
        memory,
        notReadyBecause: reason,
        notice: warning(
            "KubeletUpgradeFailed",
            `${reason}. The node stays cordoned; delete its node-agent pod to retry`,
        ),
    };
}

/** Whether a node runs its desired kubelet, by the registered version and the selection. */
export function runs(wanted: Kubelet, version: string, selected: Kubelet): boolean {
    return version === wanted.version && isKubelet(selected, wanted);
}

function isKubelet(one: Kubelet, other: Kubelet): boolean {
    return one.version === other.version && one.settings === other.settings;
}

/** To the API, a kubelet restarted with other settings is the same: the last start says more. */
function isAt({ node, running, isHealthy, issuance }: Observed, kubelet: Kubelet): boolean {
    const isRunning = running !== undefined && isKubelet(running, kubelet);
    const isWell = node !== "unknown" && node.isReady && isHealthy;
    return isWell && node.version === kubelet.version && isRunning && issuance === "wanted";
}

/** Distinguishes it from another. */
function labelOf({ version, settings }: Kubelet, other: Kubelet): string {
    return version === other.version ? `${version} with settings ${settings}` : version;
}

function whyNot(
    kubelet: Kubelet,
    label: string,
    { node, running, isHealthy, issuance }: Observed,
    { seen }: Memory,
    { silent }: Limits,
): string {
    if (node === "unknown") {
        return `the API has not answered for ${silent} s since kubelet ${label} was started`;
    }
    const faults = [
        ...(isHealthy ? [] : ["the kubelet is not healthy"]),
        ...(node.version === kubelet.version ? [] : [`its registered version is still ${node.version}`]),
        ...(running === undefined || isKubelet(running, kubelet) ? [] : ["another kubelet is running"]),
        ...(node.isReady ? [] : ["the node is not Ready"]),
        ...(issuance === "wanted" ? [] : [withoutCertificate]),
    ];
    return `kubelet ${label} did not work within ${Math.floor(seen)} s: ${faults.join(", ") || "it did not stay healthy"}`;
}
