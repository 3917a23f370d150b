/** What a Node tells of itself. */
export interface NodeStatus {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
}

/** Whether a node is Ready, as its kubelet says. */
export function isNodeReady(status: NodeStatus | undefined): boolean {
    return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false;
}
