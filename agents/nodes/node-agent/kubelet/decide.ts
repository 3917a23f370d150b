import { isNewerMinor } from "../../../../clients/kubernetes/nodes";
import { type ChangeJournal, ChangeMachine, type Changing, type Failed, type Known, type Reverting } from "../change";
import { type ChangeObservation, warned } from "../decision";
import type { Kubelet } from "../plan";
import type { Issuance } from "./identity";

/** Progress of a change of the kubelet. */
export type Journal = ChangeJournal<Kubelet, Switch, Switch & Attempts, "upgrading">;

interface Switch {
    /** The kubelet was selected and its start requested. */
    readonly isSwitched: boolean;
}

interface Attempts {
    /** Number of failed starts of the previous kubelet. */
    readonly attempts: number;
    /** @default - the pod that finds the previous kubelet restored (written by earlier agents) */
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

class KubeletMachine extends ChangeMachine<Journal, Kubelet, Observed, Action> {
    readonly name = "Kubelet";
    readonly events = { begun: "KubeletUpgrading", done: "KubeletUpgraded", failed: "KubeletUpgradeFailed" };
    readonly fetch = "fetch";
    readonly begun = { phase: "upgrading", isSwitched: false } as const;
    override readonly reverted = { attempts: 0, isSwitched: false };
    override readonly recordsFailure = true;

    label({ version, settings }: Kubelet, other: Kubelet) {
        return `kubelet ${version}${version === other.version ? ` with settings ${settings}` : ""}`;
    }

    isSame({ to }: Failed<Journal>, observed: Observed) {
        const { desired } = observed;
        const isSame = !("refusal" in desired) && isKubelet(desired, to) && desired.sha256 === to.sha256;
        return isSame && this.faults(observed, to).length > 0;
    }

    /** To the API, a kubelet restarted with other settings is the same: the last start says more. */
    override faults({ node, running, isHealthy, lastError, issuance }: Observed, kubelet: Kubelet) {
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

    override isUnwell({ isHealthy }: Observed) {
        return !isHealthy;
    }

    need({ node, desired, selected, isHealthy, issuance }: Observed) {
        if (node === "unknown") {
            return { notReadyBecause: "the API does not answer" };
        }
        if ("refusal" in desired) {
            return warned("KubeletVersionRefused", desired.refusal);
        }
        if (node.isLeaving) {
            return {};
        }
        if (!runs(desired, node.version, selected) || issuance === "others") {
            return { missing: `kubelet ${desired.version}` };
        }
        if (!(node.isReady && isHealthy)) {
            return { notReadyBecause: "the node is not Ready" };
        }
        if (issuance === "awaited") {
            return { notReadyBecause: withoutCertificate };
        }
        return node.isOurs ? { notReadyBecause: "the node must be uncordoned", actions: ["uncordon"] as const } : {};
    }

    begin({ node, desired, selected, apiVersion, isHealthy }: Known<Observed>, isDead: boolean) {
        if (apiVersion === undefined) {
            return { notReadyBecause: "no apiserver reports its version" };
        }
        if (isNewerMinor(desired.version, apiVersion)) {
            const message = `kubelet ${desired.version} is waiting for the apiserver to be upgraded from ${apiVersion}: a kubelet must not be newer`;
            return warned("KubeletWaitsForApiserver", message);
        }
        if (!(node.isReady && isHealthy) && !isDead) {
            return { notReadyBecause: `kubelet ${desired.version}: waiting for the node to be Ready` };
        }
        return { from: selected, to: desired, actions: this.back() };
    }

    attempt({ isSwitched }: Changing<Journal>) {
        return isSwitched ? undefined : { actions: this.back() };
    }

    back() {
        return ["switch"] as const;
    }

    revert(journal: Reverting<Journal>, _: Observed, isSettled: boolean, isLate: boolean) {
        const { from, to, isSwitched, attempts } = journal;
        if (!isSwitched) {
            return { actions: this.back() };
        }
        if (isSettled) {
            return { done: `${this.label(from, to)} runs again` };
        }
        if (!isLate) {
            return {};
        }
        // No other pod could report it: without a kubelet none starts.
        return {
            actions: this.back(),
            journal: { ...journal, attempts: attempts + 1, isSwitched: false },
            fault: `after the revert to ${this.label(from, to).replace("kubelet ", "")} it is not Ready either`,
        };
    }
}

/** Decides what to do about the node's kubelet. */
export const { decide } = new KubeletMachine();

/** Whether a node runs its desired kubelet, by the registered version and the selection. */
export function runs(desired: Kubelet, version: string, selected: Kubelet): boolean {
    return version === desired.version && isKubelet(selected, desired);
}

function isKubelet(one: Kubelet, other: Kubelet): boolean {
    return one.version === other.version && one.settings === other.settings;
}
