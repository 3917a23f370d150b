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

/** `1.36.3`; empty if its kubelet has never reported. */
export function kubeletVersion({ status }: Pick<Node, "status">): string {
    return (status?.nodeInfo?.kubeletVersion ?? "").replace(/^v/, "");
}

/** Major and minor number of a version such as `1.36.3` or `v1.36.3`. */
export function minorOf(version: string): readonly [number, number] {
    const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? [];
    if (major === undefined || minor === undefined) {
        throw new Error(`a version must be <major>.<minor>.<patch> (got ${version})`);
    }
    return [Number(major), Number(minor)];
}

/** Whether one minor version is newer than the other. Patches do not count, as in Kubernetes' skew policy. */
export function isNewerMinor(version: string, other: string): boolean {
    const [[major, minor], [otherMajor, otherMinor]] = [minorOf(version), minorOf(other)];
    return major > otherMajor || (major === otherMajor && minor > otherMinor);
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
