import type { TestCluster } from "./cluster";

/** A Node, as far as tests read it. */
export interface NodeObject {
    readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
    readonly spec: { readonly unschedulable?: boolean };
    readonly status: {
        readonly conditions?: { readonly type: string; readonly status: string }[];
        readonly addresses?: { readonly type: string; readonly address: string }[];
        readonly nodeInfo: { readonly kubeletVersion: string; readonly containerRuntimeVersion: string };
    };
}

/** Messages of a node's events with this reason, newest last. */
export async function eventsOf(cluster: TestCluster, node: string, reason: string): Promise<string[]> {
    const selector = `involvedObject.kind=Node,involvedObject.name=${node},reason=${reason}`;
    const { items } = await cluster.get<{ items: { message: string; lastTimestamp: string }[] }>(
        ...["events", "-A", "--field-selector", selector],
    );
    return items
        .sort((one, other) => one.lastTimestamp.localeCompare(other.lastTimestamp))
        .map(({ message }) => message);
}

/** Names of the unschedulable nodes. */
export async function cordonedNodes(cluster: TestCluster): Promise<string[]> {
    const { items } = await cluster.get<{ items: NodeObject[] }>("nodes");
    return items.filter(({ spec }) => spec.unschedulable).map(({ metadata }) => metadata.name);
}

/** The command line of the kubelet that runs on a node's host. */
export async function kubeletFlags(cluster: TestCluster, node: string): Promise<string[]> {
    const text = await cluster.exec(node, "tr '\\0' '\\n' </proc/$(pgrep -x kubelet)/cmdline");
    return text.trim().split("\n");
}
