import type { Pod } from "../checkpointer/pod";
import { isReady } from "../common/ready-condition";
import { isEvictable } from "../node-removal/pods";
import { kubeletPodApp } from "./layout";

/** Whether the node's kubelet is a pod now, and not the host's: it is Ready when it has the lock. */
export function hasKubeletPod(pods: readonly Pod[]): boolean {
    return pods.some(
        ({ metadata: { namespace, labels }, status }) =>
            namespace === "kube-system" && labels?.["k8s-app"] === kubeletPodApp && isReady(status),
    );
}

/**
 * Which pods have to go before a kubelet of another minor version takes over.
 *
 * What nobody would make again stays: a restart of the kubelet leaves it alone, and an eviction would be its end.
 */
export function podsToDrain(pods: readonly Pod[]): readonly Pod[] {
    return pods.filter((pod) => isEvictable(pod) && pod.metadata.ownerReferences?.some(({ controller }) => controller));
}
