import { condition, type Metadata, type Pod } from "../clients/kubernetes/objects";

type Owned = Pick<Metadata, "ownerReferences">;

/**
 * True if a pod will never run again and needs no replacement: it completed, its Job counted it as failed, or it was
 * evicted, as in a graceful node shutdown, and its owner has replaced it.
 */
export function isOver(status: Pod["status"], owner: Owned = {}): boolean {
    const hadToGo = condition(status, "DisruptionTarget")?.status === "True";
    const phase = status?.phase;
    return phase === "Succeeded" || (phase === "Failed" && (hadToGo || isOfJob(owner)));
}

export function isOfJob({ ownerReferences = [] }: Owned): boolean {
    return ownerReferences.some(({ kind }) => kind === "Job");
}

/** True if a pod has failed and its owner has replaced it; a DaemonSet's replacement is on the same node. */
export function isSuperseded({ metadata, status, spec }: Pod, pods: readonly Pod[]): boolean {
    const ownersOf = ({ ownerReferences = [] }: Owned) => ownerReferences.flatMap(({ uid }) => uid ?? []);
    const owners = ownersOf(metadata);
    return (
        status?.phase === "Failed" &&
        pods.some(
            (other) =>
                other.status?.phase !== "Failed" &&
                ownersOf(other.metadata).some((uid) => owners.includes(uid)) &&
                (other.spec.nodeName === spec.nodeName || !isOfDaemonSet(metadata)),
        )
    );
}

function isOfDaemonSet({ ownerReferences = [] }: Owned): boolean {
    return ownerReferences.some(({ kind }) => kind === "DaemonSet");
}
