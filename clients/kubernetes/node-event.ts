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
