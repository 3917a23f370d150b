import { warning } from "../../../../clients/kubernetes/nodes";
import { type ChangeJournal, ChangeMachine, type Changing, type Failed, type Known, type Reverting } from "../change";
import { type ChangeObservation, warned } from "../decision";
import { hasVersion, labelOf, type Runtime, stepProblem } from "./runtime";
import type { RuntimeHost } from "./runtimes";

/** Progress of a change of the container runtime. A failure names its ID. */
export type ContainerRuntimeJournal = ChangeJournal<Runtime, Attempts, { readonly pod: string }, "changing", string>;

interface Attempts {
    /** How often the host was asked for it: a reboot before it is known to work reverts it. */
    readonly attempts: number;
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

class RuntimeMachine extends ChangeMachine<
    ContainerRuntimeJournal,
    Runtime,
    ContainerRuntimeObservation,
    ContainerRuntimeAction
> {
    readonly name = "ContainerRuntime";
    readonly events = {
        ...{ begun: "ContainerRuntimeChanging", done: "ContainerRuntimeChanged", failed: "ContainerRuntimeFailed" },
    };
    readonly fetch = "fetch runtime";
    readonly begun = { phase: "changing", attempts: 0 } as const;

    label(runtime: Runtime, other: Runtime) {
        return labelOf(runtime, other);
    }

    override idOf({ id }: { readonly id: string }) {
        return id;
    }

    isSame({ to }: Failed<ContainerRuntimeJournal>, { desired }: ContainerRuntimeObservation) {
        return !("refusal" in desired) && desired.id === to;
    }

    override faults({ node, host, isHealthy, unready }: ContainerRuntimeObservation, runtime: Runtime) {
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

    need({ node, isOtherChanging, desired, host }: ContainerRuntimeObservation) {
        if (node === "unknown" || node.isLeaving || isOtherChanging) {
            return {};
        }
        if ("refusal" in desired) {
            return warned("ContainerRuntimeRefused", desired.refusal);
        }
        if (host === undefined) {
            return { notice: warning("ContainerRuntimeUnknown", unknown) };
        }
        return host.current === desired.id ? {} : { missing: `container runtime ${desired.id}` };
    }

    begin({ node, desired, reported, isHealthy, unready }: Known<ContainerRuntimeObservation>) {
        if (reported === undefined) {
            return { notReadyBecause: `container runtime ${desired.id} must be queried for its version` };
        }
        if ("fault" in reported) {
            return { fault: `container runtime ${desired.id} does not work: ${reported.fault}` };
        }
        const { from, to } = reported;
        const problem = stepProblem(from, to);
        if (problem !== undefined) {
            return warned("ContainerRuntimeRefused", problem);
        }
        if (!(node.isReady && isHealthy) || unready.length > 0) {
            const waits = `${labelOf(to, from)}: waiting for the node to be Ready`;
            return { notReadyBecause: [waits, ...unready].join("; ") };
        }
        return { from, to, actions: [] };
    }

    attempt(journal: Changing<ContainerRuntimeJournal>, { host }: ContainerRuntimeObservation, isSettled: boolean) {
        const { from, to, attempts } = journal;
        const label = labelOf(to, from);
        if (isSettled) {
            // The host no longer reverts from then on; the next reconcile shows whether it did just now.
            return host?.trial === undefined ? undefined : { actions: ["keep runtime"] as const };
        }
        if (attempts > 0 && host?.fault !== undefined) {
            return { fault: `${label} does not work: ${host.fault}` };
        }
        if (host?.current === to.id || host?.request === to.id) {
            return undefined;
        }
        return attempts >= mostAttempts
            ? { fault: `the machine booted ${attempts} times before ${label} was known to work` }
            : { actions: ["request runtime"] as const, journal: { ...journal, attempts: attempts + 1 } };
    }

    back({ host }: ContainerRuntimeObservation, from: Runtime) {
        const isRequested = host?.request === undefined ? host?.current === from.id : host.request === from.id;
        return isRequested ? [] : (["request runtime"] as const);
    }

    revert(
        { from, to }: Reverting<ContainerRuntimeJournal>,
        observed: ContainerRuntimeObservation,
        isSettled: boolean,
        isLate: boolean,
    ) {
        const label = labelOf(from, to);
        if (isSettled && observed.host?.request === undefined) {
            return { done: `${label} runs again` };
        }
        const actions = this.back(observed, from);
        // The host keeps trying by itself.
        const faults = this.faults(observed, from).join(", ");
        return isLate
            ? { actions, fault: `after the revert to ${label} the node is not Ready either: ${faults}` }
            : { actions };
    }
}

/** Decides what to do about the node's container runtime. */
export const { decide: decideContainerRuntime } = new RuntimeMachine();
