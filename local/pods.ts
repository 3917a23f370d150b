export interface PodStatus {
    readonly phase?: string;
    readonly conditions?: readonly {
        readonly type: string;
        readonly status: string;
        readonly lastTransitionTime?: string;
        readonly reason?: string;
        readonly message?: string;
    }[];
}

/** The owner references in a pod's metadata. */
export interface PodOwner {
    readonly ownerReferences?: readonly { readonly kind: string; readonly uid: string }[];
}

/**
 * True if a pod will never run again and needs no replacement: it completed, its Job counted it as failed, or it was
 * evicted, as in a graceful node shutdown, and its owner has replaced it.
 */
export function isOver({ phase, conditions = [] }: PodStatus, owner: PodOwner = {}): boolean {
    const hadToGo = conditions.some(({ type, status }) => type === "DisruptionTarget" && status === "True");
    return phase === "Succeeded" || (phase === "Failed" && (hadToGo || isOfJob(owner)));
}

export function isOfJob({ ownerReferences = [] }: PodOwner): boolean {
    return ownerReferences.some(({ kind }) => kind === "Job");
}

interface Pod {
    readonly metadata: PodOwner;
    readonly status?: PodStatus;
    readonly spec?: { readonly nodeName?: string };
}

/** True if a pod has failed and its owner has replaced it; a DaemonSet's replacement is on the same node. */
export function isSuperseded({ metadata, status, spec }: Pod, pods: readonly Pod[]): boolean {
    const ownersOf = ({ ownerReferences = [] }: PodOwner) => ownerReferences.map(({ uid }) => uid);
    const owners = ownersOf(metadata);
    return (
        status?.phase === "Failed" &&
        pods.some(
            (other) =>
                other.status?.phase !== "Failed" &&
                ownersOf(other.metadata).some((uid) => owners.includes(uid)) &&
                (other.spec?.nodeName === spec?.nodeName || !isOfDaemonSet(metadata)),
        )
    );
}

function isOfDaemonSet({ ownerReferences = [] }: PodOwner): boolean {
    return ownerReferences.some(({ kind }) => kind === "DaemonSet");
}
