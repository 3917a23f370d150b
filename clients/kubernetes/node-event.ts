/** Something that people are told of a Node, once for as long as it lasts. */
export interface Notice {
    readonly type: "Normal" | "Warning";
    /** As Kubernetes' events have it: `KubeletUpgraded`. */
    readonly reason: string;
    readonly message: string;
}

export function normal(reason: string, message: string): Notice {
    return { type: "Normal", reason, message };
}

export function warning(reason: string, message: string): Notice {
    return { type: "Warning", reason, message };
}

/** The namespace of events on what has none. */
export const eventsPath = "/api/v1/namespaces/default/events";

/** An Event on a Node. @param source - who writes it, and on which node if that is so */
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
        // The API takes 1024 bytes.
        message: Buffer.from(message).subarray(0, 1000).toString(),
        source,
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
    };
}
