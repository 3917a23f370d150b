import type { Pod } from "../checkpointer/pod";
import { isEvictable } from "../node-removal/pods";

/**
 * Which pods have to go before a kubelet of another minor version takes over.
 *
 * What nobody would make again stays: a restart of the kubelet leaves it alone, and an eviction would be its end.
 */
export function podsToDrain(pods: readonly Pod[]): readonly Pod[] {
    return pods.filter((pod) => isEvictable(pod) && pod.metadata.ownerReferences?.some(({ controller }) => controller));
}
