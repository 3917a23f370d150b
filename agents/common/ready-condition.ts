/** What a Node or a Pod tells of itself. */
export interface Conditions {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
}

/** Whether a Node or a Pod is Ready, as its kubelet says. */
export function isReady(status: Conditions | undefined): boolean {
    return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false;
}
