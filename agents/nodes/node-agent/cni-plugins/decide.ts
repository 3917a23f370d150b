import { warning } from "../../../../clients/kubernetes/nodes";
import { type ChangeJournal, ChangeMachine, type Failed, type Known, type Reverting } from "../change";
import { type ChangeObservation, warned } from "../decision";
import { defaultLimits, type Source } from "../plan";

/** Progress of a change of the CNI plugins. */
export type CniPluginsJournal = ChangeJournal<Source>;

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

/** No pods are evicted: plugins only run when pods are added or removed. */
class CniPluginsMachine extends ChangeMachine<CniPluginsJournal, Source, CniPluginsObservation, CniPluginsAction> {
    readonly name = "CniPlugins";
    readonly events = { begun: "CniPluginsChanging", done: "CniPluginsChanged", failed: "CniPluginsFailed" };
    readonly fetch = "fetch plugins";
    readonly begun = { phase: "changing" } as const;

    /** A hash shortened for people. */
    label({ sha256 }: Source) {
        return `CNI plugins ${sha256.slice(0, 12)}`;
    }

    isSame({ to }: Failed<CniPluginsJournal>, { desired }: CniPluginsObservation) {
        return !("refusal" in desired) && desired.sha256 === to.sha256;
    }

    need({ node, desired, installed, isKubeletChanging }: CniPluginsObservation) {
        if (node === "unknown" || node.isLeaving || isKubeletChanging) {
            return {};
        }
        if ("refusal" in desired) {
            return warned("CniPluginsRefused", desired.refusal);
        }
        if (installed === undefined) {
            return { notice: warning("CniPluginsUnknown", unknown) };
        }
        return installed.sha256 === desired.sha256 ? {} : { missing: this.label(desired) };
    }

    begin({ installed: from, desired: to }: Known<CniPluginsObservation>) {
        const change = `replacing ${this.label(from!)} with ${this.label(to)}`;
        return { from: from!, to, actions: this.back(), change };
    }

    attempt({ from, to }: { readonly from: Source; readonly to: Source }, { node, swapped }: CniPluginsObservation) {
        if (swapped === undefined) {
            return { actions: this.back(), notReadyBecause: `installing ${this.label(to)}` };
        }
        if (!swapped.isIn || swapped.fault !== undefined) {
            return { fault: `${this.label(to)} do not work: ${swapped.fault}` };
        }
        const done = `${this.label(to)} replaced ${this.label(from)}, and they work`;
        // Reported once, to an API that answers.
        return { notReadyBecause: done, ...(node !== "unknown" && { done }) };
    }

    back() {
        return ["swap plugins"] as const;
    }

    revert({ from }: Reverting<CniPluginsJournal>, { swapped }: CniPluginsObservation) {
        const old = this.label(from);
        if (!swapped?.isIn) {
            const fault = swapped && `${old} could not be restored either: ${swapped.fault}`;
            return { actions: this.back(), fault };
        }
        const { fault } = swapped;
        return { done: `${old} are restored${fault === undefined ? "" : `, but do not work either: ${fault}`}` };
    }
}

const machine = new CniPluginsMachine();

/** Decides what to do about the node's CNI plugins, which needs no time. */
export function decideCniPlugins(journal: CniPluginsJournal, observed: CniPluginsObservation) {
    return machine.decide(journal, observed, undefined, 0, defaultLimits);
}
