import { describeError, isNotFound } from "../common/api-error";
import type { ApiView, NodeView } from "./api";
import { isCurrent, type Pod } from "./pod";

/** As the kubelet says of pods that it ended, or did not let begin, while the machine shut down. Source: its nodeshutdown. */
const reasons = ["Terminated", "NodeShutdown"];

/**
 * What a reboot in good order left of DaemonSets' pods, none while the node is still shutting down.
 *
 * A DaemonSet makes pods all the while, which the kubelet refuses. Its controller then removes them one by one, with pauses
 * that double up to a quarter of an hour, and until the last is gone takes the node for one without a pod that is Ready:
 * whoever rolls it waits that long.
 */
export function endedByShutdown(pods: readonly Pod[], node: Pick<NodeView, "isReady"> | undefined): readonly Pod[] {
    return node?.isReady
        ? pods.filter(
              (pod) =>
                  !isCurrent(pod) &&
                  pod.metadata.deletionTimestamp === undefined &&
                  reasons.includes(pod.status?.reason ?? "") &&
                  pod.metadata.ownerReferences?.some(({ kind, controller }) => controller && kind === "DaemonSet"),
          )
        : [];
}

/** Removes them. What fails is tried again at the next look. */
export function removeEnded(
    ended: readonly Pod[],
    api: Pick<ApiView, "remove">,
    log: (line: string) => void,
): Promise<void> {
    return removePods(ended, "it ended when the machine shut down", api, log);
}

/** Removes pods of this node, for a reason. */
export async function removePods(
    pods: readonly Pod[],
    why: string,
    api: Pick<ApiView, "remove">,
    log: (line: string) => void,
): Promise<void> {
    for (const pod of pods) {
        const name = `${pod.metadata.namespace}/${pod.metadata.name}`;
        try {
            await api.remove(pod);
            log(`${name}: removed; ${why}`);
        } catch (error) {
            if (!isNotFound(error)) log(`${name} could not be removed: ${describeError(error)}`);
        }
    }
}
