import { type ApiClient, list } from "../../../clients/kubernetes/api-client";
import { controllerOf, type Pod, type With } from "../../../clients/kubernetes/objects";
import { hasEnded, isStatic } from "../../../clients/kubernetes/pods";
import { checkpointerParent, copyAnnotation } from "../../checkpointer/plan";
import { etcdJoinApp } from "../../etcd/join/plan";

export function podsOn(api: ApiClient, node: string): Promise<readonly With<Pod, "namespace">[]> {
    return list(api, `/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`);
}

/**
 * Whether it must end before its node may be removed. Pods of a DaemonSet, of the kubelet or of this agent need not.
 */
export function isEvictable(pod: Pick<Pod, "metadata" | "status">): boolean {
    const isOurs = pod.metadata.namespace === "kube-system" && pod.metadata.labels?.["k8s-app"] === etcdJoinApp;
    return !hasEnded(pod) && !isStatic(pod) && !isOfDaemonSet(pod) && !isOurs;
}

/** Whether a DaemonSet runs it because its node has this label. */
export function isPlacedByLabel(pod: Pod, label: string): boolean {
    return !isStatic(pod) && isOfDaemonSet(pod) && pod.spec.nodeSelector?.[label] !== undefined;
}

/** Whether it is a copy of another pod. The checkpointer's own copy exists for as long as the node is a controller. */
export function isStandIn({ metadata }: Pod): boolean {
    const parent = metadata.annotations?.[copyAnnotation];
    return parent !== undefined && parent !== checkpointerParent;
}

function isOfDaemonSet(pod: Pick<Pod, "metadata">): boolean {
    return controllerOf(pod)?.kind === "DaemonSet";
}
