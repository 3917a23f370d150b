import { condition, type Node } from "./objects";

/** On a Node that is being removed: if the removal is cancelled, the node becomes schedulable again. */
export const leavingAnnotation = "tradewind.dev/leaving";

/** Whether its kubelet stopped reporting: nothing confirms the end of its pods. */
export function isLost({ status }: Pick<Node, "status">): boolean {
    return condition(status, "Ready")?.status === "Unknown";
}

/**
 * Whether a node is only not Ready because nothing has installed a CNI on it.
 *
 * @param problem - message of its Ready condition, by its kubelet and containerd
 */
export function isWithoutCni(problem: string | undefined): boolean {
    return problem?.includes("cni plugin not initialized") === true;
}

/** Address in the cluster's network. */
export function internalAddress({ status }: Pick<Node, "status">): string | undefined {
    return status?.addresses?.find(({ type }) => type === "InternalIP")?.address;
}

/** The same, of each family. */
export function internalAddresses({ status }: Pick<Node, "status">): string[] {
    return (status?.addresses ?? []).flatMap(({ type, address }) => (type === "InternalIP" ? [address] : []));
}

/** `1.36.3`; empty if its kubelet has never reported. */
export function kubeletVersion({ status }: Pick<Node, "status">): string {
    return (status?.nodeInfo?.kubeletVersion ?? "").replace(/^v/, "");
}

/** An Event about a Node, emitted once for as long as the condition lasts. */
export interface Notice {
    readonly type: "Normal" | "Warning";
    /** Reason in the Kubernetes event: `KubeletUpgraded`. */
    readonly reason: string;
    readonly message: string;
}

export function normal(reason: string, message: string): Notice {
    return { type: "Normal", reason, message };
}

export function warning(reason: string, message: string): Notice {
    return { type: "Warning", reason, message };
}

/** The namespace for events about cluster-scoped objects. */
export const eventsPath = "/api/v1/namespaces/default/events";

/** An Event about a Node. @param source - the component, and its node if any */
export function nodeEvent(
    node: { readonly name: string; readonly uid: string },
    { type, reason, message }: Notice,
    source: { readonly component: string; readonly host?: string },
): object {
    const now = new Date().toISOString().replace(/\.\d+/, "");
    return {
        apiVersion: "v1",
        kind: "Event",
        metadata: { generateName: `${node.name}.`, namespace: "default" },
        involvedObject: { apiVersion: "v1", kind: "Node", ...node },
        type,
        reason,
        // The API accepts up to 1024 bytes.
        message: Buffer.from(message).subarray(0, 1000).toString(),
        source,
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
    };
}
