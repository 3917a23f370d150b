import { type Notice, normal, warning } from "../../../../clients/kubernetes/node-event";
import { keepCordoned } from "../memory";
import type { Source } from "../plan";
import type { CniPluginsJournal } from "./journal";

/** What is seen of the node and of its CNI plugins. */
export interface CniPluginsSight {
    readonly node: "unknown" | { readonly isCordoned: boolean; readonly isLeaving: boolean };
    /** Those that the node is to have, or why there are none. */
    readonly wanted: Source | { readonly refusal: string };
    /** Those that the machine has. @default - nothing says so */
    readonly installed?: Source;
    /** The wanted ones lie on the disk, whole, and so do those that would be gone back to. */
    readonly isHere: boolean;
    /** Why they could not be fetched when that was tried last. */
    readonly fetchProblem?: string;
    /** What came of the swap that this run of the agent did last. @default - it did none of what the journal has now */
    readonly swapped?: { readonly isIn: boolean; readonly fault?: string };
    /** A change of the kubelet is under way, or failed. */
    readonly isKubeletChanging: boolean;
    /** Another node whose machine is being rebooted. @default - none */
    readonly rebootOf?: string;
    /** UID of the pod that the agent runs in. */
    readonly pod: string;
}

/** `swap` is to the plugins that the journal names. */
export type CniPluginsAction = "fetch plugins" | "cordon" | "swap plugins";

export interface CniPluginsDecision {
    /** Done in this order, after the journal is written. */
    readonly actions: readonly CniPluginsAction[];
    readonly journal: CniPluginsJournal;
    /** What of a change is under way: the kubelet is left alone then. @default - nothing */
    readonly amiss?: string;
    readonly notice?: Notice;
}

/** What to do about the node's CNI plugins. No pod has to go: plugins run when pods come and go, and not meanwhile. */
export function decideCniPlugins(journal: CniPluginsJournal, sight: CniPluginsSight): CniPluginsDecision {
    switch (journal.phase) {
        case "idle":
            return decideIdle(sight);
        case "changing":
            return decideChanging(journal, sight);
        case "reverting":
            return decideReverting(journal, sight);
        case "failed":
            return decideFailed(journal, sight);
    }
}

/** The plugins that a phase wants to have in their place. */
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

function decideIdle(sight: CniPluginsSight): CniPluginsDecision {
    const { node, wanted, installed, isHere, fetchProblem, isKubeletChanging, rebootOf } = sight;
    const idle = (amiss?: string, actions: readonly CniPluginsAction[] = [], notice?: Notice): CniPluginsDecision => ({
        actions,
        journal: { phase: "idle" },
        ...(amiss !== undefined && { amiss }),
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
        return idle(`${labelOf(wanted)} are to be fetched`, ["fetch plugins"], failed);
    }
    if (rebootOf !== undefined) {
        return idle(`${labelOf(wanted)} wait for the reboot of ${rebootOf}`);
    }
    if (!node.isCordoned) {
        return idle("the node is to be cordoned", ["cordon"]);
    }
    const change = `${labelOf(installed)} give way to ${labelOf(wanted)}`;
    return {
        actions: ["swap plugins"],
        journal: { phase: "changing", from: installed, to: wanted },
        amiss: change,
        notice: normal("CniPluginsChanging", change),
    };
}

const unknown =
    "No file of this machine says which CNI plugins it has, so the node-agent leaves them as they are. Make the machine anew";

type Changing = Extract<CniPluginsJournal, { phase: "changing" }>;

function decideChanging(journal: Changing, { node, swapped, pod }: CniPluginsSight): CniPluginsDecision {
    const { from, to } = journal;
    if (swapped === undefined) {
        return { actions: ["swap plugins"], journal, amiss: `${labelOf(to)} are put in their place` };
    }
    if (swapped.isIn && swapped.fault === undefined) {
        const done = `${labelOf(to)} are in the place of ${labelOf(from)}, and answer`;
        // It is told once, to an API that answers.
        if (node === "unknown") return { actions: [], journal, amiss: done };
        return { actions: [], journal: { phase: "idle" }, amiss: done, notice: normal("CniPluginsChanged", done) };
    }
    const reason = `${labelOf(to)} do not do: ${swapped.fault}`;
    return {
        actions: ["swap plugins"],
        journal: { phase: "reverting", from, to, reason, pod },
        amiss: reason,
        notice: warning("CniPluginsReverting", `${reason}; going back to ${labelOf(from)}`),
    };
}

type Reverting = Extract<CniPluginsJournal, { phase: "reverting" }>;

function decideReverting(journal: Reverting, sight: CniPluginsSight): CniPluginsDecision {
    const { from, to, reason, pod } = journal;
    const { swapped } = sight;
    if (!swapped?.isIn) {
        const amiss = swapped ? `${reason}; neither could ${labelOf(from)} be put back: ${swapped.fault}` : reason;
        const lost = swapped && warning("CniPluginsLost", amiss);
        return { actions: ["swap plugins"], journal, amiss, ...(lost && { notice: lost }) };
    }
    const end = `${labelOf(from)} are back${swapped.fault === undefined ? "" : `, and do not do either: ${swapped.fault}`}`;
    return decideFailed({ phase: "failed", to, reason: `${reason}; ${end}`, pod }, sight);
}

type Failed = Extract<CniPluginsJournal, { phase: "failed" }>;

/** It stays as it is until other plugins are wanted, or another pod of the agent tries again. */
function decideFailed(journal: Failed, { wanted, node, pod }: CniPluginsSight): CniPluginsDecision {
    const { to, reason } = journal;
    const isSame = !("refusal" in wanted) && wanted.sha256 === to.sha256;
    if (!isSame || pod !== journal.pod) {
        return { actions: [], journal: { phase: "idle" }, amiss: reason };
    }
    const stays = "The node stays cordoned; delete its node-agent pod to retry";
    return {
        actions: keepCordoned(node),
        journal,
        amiss: reason,
        notice: warning("CniPluginsFailed", `${reason}. ${stays}`),
    };
}

/** As people tell hashes apart. */
function labelOf({ sha256 }: Source): string {
    return `CNI plugins ${sha256.slice(0, 12)}`;
}
