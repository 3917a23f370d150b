import type { Pod } from "../checkpointer/pod";
import { describeError } from "../common/api-error";
import { isReady } from "../common/ready-condition";
import type { NodeView } from "./api";
import { needsDrain } from "./container-runtime";
import type { ContainerRuntimes } from "./container-runtimes";
import type { ContainerRuntimeSight } from "./decide-container-runtime";
import type { NodeAgentPlan } from "./plan";
import { type WantedRuntime, wantedContainerRuntime } from "./wanted-container-runtime";

/** What is seen of the container runtime, but for what is known of other changes and of downloads. */
export type ContainerRuntimeSeen = Omit<ContainerRuntimeSight, "wanted" | "isOtherChanging" | "fetchProblem"> & {
    readonly wanted: WantedRuntime;
};

/** The same as its own look shows it. */
export type RuntimeLook = Pick<ContainerRuntimeSeen, "wanted" | "host" | "isHere" | "told" | "unready"> & {
    readonly isAsWanted: boolean;
    /** Pods have to go before the change that is wanted. */
    readonly isDrained: boolean;
};

/** Parts of the control plane, by the label `k8s-app` of their pods. A kube-apiserver is Ready when its etcd is. */
const controlPlane = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "checkpointer"];

/** @returns undefined: the node is to have what its image brought */
export async function lookAtRuntime(
    { plan, runtimes }: { readonly plan: NodeAgentPlan; readonly runtimes: ContainerRuntimes },
    node: NodeView | undefined,
    pods: readonly Pod[],
): Promise<RuntimeLook | undefined> {
    const wanted = wantedContainerRuntime(plan, node?.containerRuntime);
    if (wanted === undefined) return undefined;
    const host = runtimes.host();
    const isAsWanted = isRuntimeAsWanted(plan, runtimes, node);
    const isConcerned = host !== undefined && !("refusal" in wanted) && !isAsWanted;
    const isHere = isConcerned && runtimes.isHere(wanted.id);
    const told = isHere ? await askBoth(runtimes, host.current, wanted.id) : undefined;
    return {
        wanted,
        ...(host && { host }),
        isHere,
        ...(told && { told }),
        unready: pods.filter(isPartNotReady).map(({ metadata: { name } }) => name),
        isAsWanted,
        isDrained: plan.hasOtherNodes && told !== undefined && "to" in told && needsDrain(told.from, told.to),
    };
}

/** What can't be changed is left as it is. */
export function isRuntimeAsWanted(
    plan: NodeAgentPlan,
    runtimes: ContainerRuntimes,
    node: NodeView | undefined,
): boolean {
    const wanted = wantedContainerRuntime(plan, node?.containerRuntime);
    const host = runtimes.host();
    return wanted === undefined || host === undefined || (!("refusal" in wanted) && host.current === wanted.id);
}

async function askBoth(runtimes: ContainerRuntimes, from: string, to: string): Promise<ContainerRuntimeSight["told"]> {
    try {
        return { from: await runtimes.ask(from), to: await runtimes.ask(to) };
    } catch (error) {
        return { fault: describeError(error) };
    }
}

function isPartNotReady({ metadata: { namespace, labels, deletionTimestamp }, status }: Pod): boolean {
    const isPart = namespace === "kube-system" && controlPlane.includes(labels?.["k8s-app"] ?? "");
    return isPart && deletionTimestamp === undefined && !isReady(status);
}
