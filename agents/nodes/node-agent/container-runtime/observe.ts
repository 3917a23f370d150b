import { describeError } from "../../../../clients/kubernetes/api-error";
import type { NodePod } from "../../../../clients/kubernetes/kubelet-api";
import { isReady } from "../../../../clients/kubernetes/objects";
import type { NodeView } from "../api";
import { runtimeId } from "../layout";
import type { NodeAgentPlan, RuntimeSource } from "../plan";
import type { ContainerRuntimeObservation } from "./decide";
import { needsDrain } from "./runtime";
import type { ContainerRuntimes } from "./runtimes";

/** Observed state of the container runtime, without other changes and downloads. */
export type ContainerRuntimeOnNode = Omit<
    ContainerRuntimeObservation,
    "desired" | "isOtherChanging" | "fetchProblem"
> & {
    readonly desired: DesiredRuntime;
};

/** The part that is observed directly. */
type RuntimeState = Pick<ContainerRuntimeOnNode, "desired" | "host" | "isHere" | "reported" | "unready"> & {
    readonly isAsDesired: boolean;
    /** The desired change requires a drain. */
    readonly isDrained: boolean;
};

/** Parts of the control plane, by the `k8s-app` label of their pods. A kube-apiserver is Ready only if its etcd is. */
const controlPlane = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "checkpointer"];

/** @returns undefined if the node is to keep the runtime of its image */
export async function observeRuntime(
    { plan, runtimes }: { readonly plan: NodeAgentPlan; readonly runtimes: ContainerRuntimes },
    node: NodeView | undefined,
    pods: readonly NodePod[],
): Promise<RuntimeState | undefined> {
    const desired = desiredContainerRuntime(plan, node?.containerRuntime);
    if (desired === undefined) return undefined;
    const host = runtimes.host();
    const isAsDesired = isDesiredRuntime(plan, runtimes, node);
    const isConcerned = host !== undefined && !("refusal" in desired) && !isAsDesired;
    const isHere = isConcerned && runtimes.isHere(desired.id);
    const reported = isHere ? await askBoth(runtimes, host.current, desired.id) : undefined;
    return {
        desired,
        ...(host && { host }),
        isHere,
        ...(reported && { reported }),
        unready: pods.filter(isPartNotReady).map(({ metadata: { name } }) => name),
        isAsDesired,
        isDrained:
            plan.hasOtherNodes && reported !== undefined && "to" in reported && needsDrain(reported.from, reported.to),
    };
}

/** A runtime that can't be changed counts as desired. */
export function isDesiredRuntime(
    plan: NodeAgentPlan,
    runtimes: ContainerRuntimes,
    node: NodeView | undefined,
): boolean {
    const desired = desiredContainerRuntime(plan, node?.containerRuntime);
    const host = runtimes.host();
    return desired === undefined || host === undefined || (!("refusal" in desired) && host.current === desired.id);
}

async function askBoth(
    runtimes: ContainerRuntimes,
    from: string,
    to: string,
): Promise<ContainerRuntimeObservation["reported"]> {
    try {
        return { from: await runtimes.ask(from), to: await runtimes.ask(to) };
    } catch (error) {
        return { fault: describeError(error) };
    }
}

function isPartNotReady({ metadata: { namespace, labels, deletionTimestamp }, status }: NodePod): boolean {
    const isPart = namespace === "kube-system" && controlPlane.includes(labels?.["k8s-app"] ?? "");
    return isPart && deletionTimestamp === undefined && !isReady(status);
}

/** A node's desired runtime, or why there is none. */
type DesiredRuntime = (RuntimeSource & { readonly id: string }) | { readonly refusal: string };

/**
 * The desired container runtime of a node: that in its annotation or in the plan, which must be pinned. @default - the
 * image's own
 */
export function desiredContainerRuntime(
    {
        containerRuntime,
        otherContainerRuntimes = [],
    }: Pick<NodeAgentPlan, "containerRuntime" | "otherContainerRuntimes">,
    named: string | undefined,
): DesiredRuntime | undefined {
    if (containerRuntime === undefined) {
        return undefined;
    }
    const pinned = [containerRuntime, ...otherContainerRuntimes].map((source) => ({
        id: runtimeId(source),
        ...source,
    }));
    const found = named === undefined ? pinned[0] : pinned.find(({ id }) => id === named);
    const legal = pinned.map(({ id }) => id).join(", ");
    return found ?? { refusal: `the node's container runtime annotation must be one of ${legal} (got ${named})` };
}
