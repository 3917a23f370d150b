import { type Notice, normal, warning } from "../../../../clients/kubernetes/nodes";
import { keepCordoned } from "../memory";
import type { Source } from "../plan";
import type { CniPluginsJournal } from "./journal";

/** Observed state of the node and its CNI plugins. */
export interface CniPluginsObservation {
    readonly node: "unknown" | { readonly isCordoned: boolean; readonly isLeaving: boolean };
    /** The desired plugins, or why there are none. */
    readonly wanted: Source | { readonly refusal: string };
    /** The installed plugins. @default - not recorded */
    readonly installed?: Source;
    /** The desired plugins are complete on the disk, and so are those for a revert. */
    readonly isHere: boolean;
    /** Why the last download failed. */
    readonly fetchProblem?: string;
    /** Result of the last swap in this run of the agent. @default - none for the current journal */
    readonly swapped?: { readonly isIn: boolean; readonly fault?: string };
    /** A change of the kubelet is in progress or has failed. */
    readonly isKubeletChanging: boolean;
    /** Another node whose machine is being rebooted. @default - none */
    readonly rebootOf?: string;
    /** UID of the pod that the agent runs in. */
    readonly pod: string;
}

/** `swap plugins` installs the plugins named in the journal. */
export type CniPluginsAction = "fetch plugins" | "cordon" | "swap plugins";

export interface CniPluginsDecision {
    /** In this order, after the journal is written. */
    readonly actions: readonly CniPluginsAction[];
    readonly journal: CniPluginsJournal;
    /** Progress of a change, during which the kubelet is left alone. @default - none */
    readonly notReadyBecause?: string;
    readonly notice?: Notice;
}

/**
 * Decides what to do about the node's CNI plugins. No pods are evicted: plugins only run when pods are added or
 * removed.
 */
export function decideCniPlugins(journal: CniPluginsJournal, observed: CniPluginsObservation): CniPluginsDecision {
    switch (journal.phase) {
        case "idle":
            return decideIdle(observed);
        case "changing":
            return decideChanging(journal, observed);
        case "reverting":
            return decideReverting(journal, observed);
        case "failed":
            return decideFailed(journal, observed);
    }
}

/** The plugins to be installed in a phase. */
export function swapTarget(journal: CniPluginsJournal): Source | undefined {
    switch (journal.phase) {
        case "changing":
            return journal.to;
        case "reverting":
            return journal.from;
        default:
            return undefined;
    }
}

function decideIdle(observed: CniPluginsObservation): CniPluginsDecision {
    const { node, wanted, installed, isHere, fetchProblem, isKubeletChanging, rebootOf } = observed;
    const idle = (
        notReadyBecause?: string,
        actions: readonly CniPluginsAction[] = [],
        notice?: Notice,
    ): CniPluginsDecision => ({
        actions,
        journal: { phase: "idle" },
        ...(notReadyBecause !== undefined && { notReadyBecause }),
        ...(notice && { notice }),
    });
    if (node === "unknown" || node.isLeaving || isKubeletChanging) {
        return idle();
    }
    if ("refusal" in wanted) {
        return idle(wanted.refusal, [], warning("CniPluginsRefused", wanted.refusal));
    }
    if (installed === undefined) {
        return idle(undefined, [], warning("CniPluginsUnknown", unknown));
    }
    if (installed.sha256 === wanted.sha256) {
        return idle();
    }
    if (!isHere) {
        const failed = fetchProblem === undefined ? undefined : warning("CniPluginsFetchFailed", fetchProblem);
        return idle(`${labelOf(wanted)} must be fetched`, ["fetch plugins"], failed);
    }
    if (rebootOf !== undefined) {
        return idle(`${labelOf(wanted)}: waiting for the reboot of ${rebootOf}`);
    }
    if (!node.isCordoned) {
        return idle("the node must be cordoned", ["cordon"]);
    }
    const change = `replacing ${labelOf(installed)} with ${labelOf(wanted)}`;
    return {
        actions: ["swap plugins"],
        journal: { phase: "changing", from: installed, to: wanted },
        notReadyBecause: change,
        notice: normal("CniPluginsChanging", change),
    };
}

const unknown =
    "No file on this machine records its CNI plugins, so the node-agent leaves them unchanged. Recreate the machine";

type Changing = Extract<CniPluginsJournal, { phase: "changing" }>;

function decideChanging(journal: Changing, { node, swapped, pod }: CniPluginsObservation): CniPluginsDecision {
    const { from, to } = journal;
    if (swapped === undefined) {
        return { actions: ["swap plugins"], journal, notReadyBecause: `installing ${labelOf(to)}` };
    }
    if (swapped.isIn && swapped.fault === undefined) {
        const done = `${labelOf(to)} replaced ${labelOf(from)}, and they work`;
        // Reported once, to an API that answers.
        if (node === "unknown") return { actions: [], journal, notReadyBecause: done };
        return {
            actions: [],
            journal: { phase: "idle" },
            notReadyBecause: done,
            notice: normal("CniPluginsChanged", done),
        };
    }
    const reason = `${labelOf(to)} do not work: ${swapped.fault}`;
    return {
        actions: ["swap plugins"],
        journal: { phase: "reverting", from, to, reason, pod },
        notReadyBecause: reason,
        notice: warning("CniPluginsReverting", `${reason}; reverting to ${labelOf(from)}`),
    };
}

type Reverting = Extract<CniPluginsJournal, { phase: "reverting" }>;

function decideReverting(journal: Reverting, observed: CniPluginsObservation): CniPluginsDecision {
    const { from, to, reason, pod } = journal;
    const { swapped } = observed;
    if (!swapped?.isIn) {
        const notReadyBecause = swapped
            ? `${reason}; ${labelOf(from)} could not be restored either: ${swapped.fault}`
            : reason;
        const lost = swapped && warning("CniPluginsLost", notReadyBecause);
        return { actions: ["swap plugins"], journal, notReadyBecause, ...(lost && { notice: lost }) };
    }
    const end = `${labelOf(from)} are restored${swapped.fault === undefined ? "" : `, but do not work either: ${swapped.fault}`}`;
    return decideFailed({ phase: "failed", to, reason: `${reason}; ${end}`, pod }, observed);
}

type Failed = Extract<CniPluginsJournal, { phase: "failed" }>;

/** Stays failed until other plugins are desired, or another pod of the agent retries. */
function decideFailed(journal: Failed, { wanted, node, pod }: CniPluginsObservation): CniPluginsDecision {
    const { to, reason } = journal;
    const isSame = !("refusal" in wanted) && wanted.sha256 === to.sha256;
    if (!isSame || pod !== journal.pod) {
        return { actions: [], journal: { phase: "idle" }, notReadyBecause: reason };
    }
    const stays = "The node stays cordoned; delete its node-agent pod to retry";
    return {
        actions: keepCordoned(node),
        journal,
        notReadyBecause: reason,
        notice: warning("CniPluginsFailed", `${reason}. ${stays}`),
    };
}

/** A hash shortened for people. */
function labelOf({ sha256 }: Source): string {
    return `CNI plugins ${sha256.slice(0, 12)}`;
}
