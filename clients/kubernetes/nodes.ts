/** Major and minor number of a version such as `1.36.3` or `v1.36.3`. */
export function minorOf(version: string): readonly [number, number] {
    const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? [];
    if (major === undefined || minor === undefined) {
        throw new Error(`a version must be <major>.<minor>.<patch>, got ${version}`);
    }
    return [Number(major), Number(minor)];
}

/** Whether one minor version is newer than the other. Patches do not count, as in Kubernetes' skew policy. */
export function isNewerMinor(version: string, other: string): boolean {
    const [[major, minor], [otherMajor, otherMinor]] = [minorOf(version), minorOf(other)];
    return major > otherMajor || (major === otherMajor && minor > otherMinor);
}

/** On a Node that is being removed: if the removal is cancelled, the node becomes schedulable again. */
export const leavingAnnotation = "tradewind.dev/leaving";

/** Conditions of a Node or Pod. */
export interface Conditions {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
}

/** Whether a Node or Pod is ready according to its kubelet. */
export function isReady(status: Conditions | undefined): boolean {
    return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false;
}
