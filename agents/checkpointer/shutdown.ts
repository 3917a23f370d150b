import { describeError, isNotFound } from "../../clients/kubernetes/api-error";
import type { NodePod } from "../../clients/kubernetes/kubelet-api";
import { controllerOf, nameOf } from "../../clients/kubernetes/objects";
import { hasEnded } from "../../clients/kubernetes/pods";
import type { ApiView, NodeView } from "./api";

/** The kubelet's reasons for pods that it terminated or rejected during a shutdown. Source: its nodeshutdown. */
const reasons = ["Terminated", "NodeShutdown"];

/** The kubelet's reason for pods that it terminated when it registered a Node again that did not have its role yet. */
const roleless = "NodeAffinity";

/**
 * DaemonSet pods left by a graceful reboot; none while the node is still shutting down.
 *
 * A DaemonSet creates pods all the while, which the kubelet rejects. Its controller then removes them one by one, with
 * back-off of up to a quarter of an hour, and until the last one is removed counts the node as having no Ready pod,
 * which stalls a rollout for as long.
 */
export function endedByShutdown(
    pods: readonly NodePod[],
    node: Pick<NodeView, "isReady"> | undefined,
): readonly NodePod[] {
    return node?.isReady
        ? pods.filter(
              (pod) =>
                  hasEnded(pod) && pod.metadata.deletionTimestamp === undefined && (isShutDown(pod) || isRejected(pod)),
          )
        : [];
}

function isShutDown(pod: NodePod): boolean {
    return reasons.includes(pod.status?.reason ?? "") && isOf(pod, "DaemonSet");
}

/** Only for our pods: a Deployment has already created another, and nothing ever removes this one. */
function isRejected(pod: NodePod): boolean {
    const isOurs = pod.metadata.namespace === "kube-system" && isOf(pod, "DaemonSet", "ReplicaSet");
    return pod.status?.reason === roleless && isOurs;
}

function isOf(pod: NodePod, ...kinds: readonly string[]): boolean {
    return kinds.includes(controllerOf(pod)?.kind ?? "");
}

/** Removes them. Failures are retried in the next reconcile. */
export async function removeEnded(
    ended: readonly NodePod[],
    api: Pick<ApiView, "remove">,
    log: (line: string) => void,
): Promise<void> {
    const rejected = ended.filter(isRejected);
    const others = ended.filter((pod) => !rejected.includes(pod));
    await removePods(others, "it was terminated when the machine shut down", api, log);
    await removePods(rejected, "its Node had no role when it was registered again", api, log);
}

/** Removes pods of this node, for a reason. */
export async function removePods(
    pods: readonly NodePod[],
    why: string,
    api: Pick<ApiView, "remove">,
    log: (line: string) => void,
): Promise<void> {
    for (const pod of pods) {
        const name = nameOf(pod);
        try {
            await api.remove(pod);
            log(`${name}: removed; ${why}`);
        } catch (error) {
            if (!isNotFound(error)) log(`${name} could not be removed: ${describeError(error)}`);
        }
    }
}
