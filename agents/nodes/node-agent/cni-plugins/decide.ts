import { normal, warning } from "../../../../clients/kubernetes/nodes";
import { cordonFirst, type FailedChange, fetchFirst, stayFailed, type Trip } from "../change";
import { type ChangeObservation, type Decision, type Step, warned } from "../decision";
import type { Source } from "../plan";

/** Progress of a change of the CNI plugins. */
export type CniPluginsJournal = { readonly phase: "idle" } | Changing | Reverting | FailedChange<Source>;

interface Changing extends Trip<Source> {
    readonly phase: "changing";
}

interface Reverting extends Trip<Source> {
    readonly phase: "reverting";
    readonly reason: string;
    /** UID of the agent's pod that gave up. */
    readonly pod: string;
}

/** Observed state of the node and its CNI plugins. `isHere`: so are those for a revert. */
export interface CniPluginsObservation extends ChangeObservation {
    readonly desired: Source | { readonly refusal: string };
    /** The installed plugins. @default - not recorded */
    readonly installed?: Source;
    /** Result of the last swap in this run of the agent. @default - none for the current journal */
    readonly swapped?: { readonly isIn: boolean; readonly fault?: string };
    /** A change of the kubelet is in progress or has failed. */
    readonly isKubeletChanging: boolean;
}

/** `swap plugins` installs the plugins named in the journal. */
export type CniPluginsAction = "fetch plugins" | "swap plugins";

const unknown =
    "No file on this machine records its CNI plugins, so the node-agent leaves them unchanged. Recreate the machine";

type CniPluginsDecision = Omit<Decision<CniPluginsJournal, CniPluginsAction>, "memory">;

/**
 * Decides what to do about the node's CNI plugins, which needs no time. No pods are evicted: plugins only run when pods are
 * added or removed.
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

function decideIdle(observed: CniPluginsObservation): CniPluginsDecision {
    const { node, desired: to, installed: from, isHere, isKubeletChanging } = observed;
    const idle = (step: Step<CniPluginsAction> = {}) => ({ actions: [], ...step, journal: { phase: "idle" } as const });
    if (node === "unknown" || node.isLeaving || isKubeletChanging) return idle();
    if ("refusal" in to) return idle(warned("CniPluginsRefused", to.refusal));
    if (from === undefined) return idle({ notice: warning("CniPluginsUnknown", unknown) });
    if (from.sha256 === to.sha256) return idle();
    if (!isHere) return idle(fetchFirst("CniPlugins", "fetch plugins", label(to), observed));
    const wait = cordonFirst(label(to), observed);
    if (wait) return idle(wait);
    const change = `replacing ${label(from)} with ${label(to)}`;
    return {
        actions: ["swap plugins"],
        journal: { phase: "changing", from, to },
        notReadyBecause: change,
        notice: normal("CniPluginsChanging", change),
    };
}

function decideChanging(journal: Changing, { node, swapped, pod }: CniPluginsObservation): CniPluginsDecision {
    const { from, to } = journal;
    if (swapped === undefined) {
        return { actions: ["swap plugins"], journal, notReadyBecause: `installing ${label(to)}` };
    }
    if (!swapped.isIn || swapped.fault !== undefined) {
        const reason = `${label(to)} do not work: ${swapped.fault}`;
        return {
            actions: ["swap plugins"],
            journal: { phase: "reverting", from, to, reason, pod },
            notReadyBecause: reason,
            notice: warning("CniPluginsReverting", `${reason}; reverting to ${label(from)}`),
        };
    }
    const done = `${label(to)} replaced ${label(from)}, and they work`;
    // Reported once, to an API that answers.
    return node === "unknown"
        ? { actions: [], journal, notReadyBecause: done }
        : { actions: [], journal: { phase: "idle" }, notReadyBecause: done, notice: normal("CniPluginsChanged", done) };
}

function decideReverting(journal: Reverting, observed: CniPluginsObservation): CniPluginsDecision {
    const { from, to, reason, pod } = journal;
    const { swapped } = observed;
    if (swapped === undefined) {
        return { actions: ["swap plugins"], journal, notReadyBecause: reason };
    }
    if (!swapped.isIn) {
        const lost = `${reason}; ${label(from)} could not be restored either: ${swapped.fault}`;
        return { actions: ["swap plugins"], journal, ...warned("CniPluginsLost", lost) };
    }
    const fault = swapped.fault === undefined ? "" : `, but do not work either: ${swapped.fault}`;
    return decideFailed(
        { phase: "failed", to, reason: `${reason}; ${label(from)} are restored${fault}`, pod },
        observed,
    );
}

function decideFailed(journal: FailedChange<Source>, observed: CniPluginsObservation): CniPluginsDecision {
    const { desired } = observed;
    const isSame = !("refusal" in desired) && desired.sha256 === journal.to.sha256;
    return stayFailed("CniPluginsFailed", journal, observed, isSame);
}

/** A hash shortened for people. */
function label({ sha256 }: Source): string {
    return `CNI plugins ${sha256.slice(0, 12)}`;
}
