/** What lies beside a snapshot, as `<name>.json`: a snapshot without it is not whole. */
export interface SnapshotManifest {
    readonly formatVersion: 1;
    /** `<cluster>-<time>`; the file is `<name>.db`. */
    readonly name: string;
    readonly cluster: string;
    /** etcd's own, in hexadecimal. */
    readonly clusterId: string;
    /** The member that it was taken from. */
    readonly member: string;
    /** The node that took it. */
    readonly node: string;
    /** RFC 3339. */
    readonly time: string;
    readonly trigger: Trigger;
    /** Of the store, by `etcdutl snapshot status`. */
    readonly revision: number;
    readonly keys: number;
    /** Bytes of the file. */
    readonly size: number;
    /** Of the file, in hexadecimal. */
    readonly sha256: string;
    readonly kubernetesVersion: string;
    readonly etcdVersion: string;
}

export type Trigger = "timer" | "demand";

/** `c-20261121T053834.123Z`: sorts by time, and is a legal file name and key. */
export function snapshotName(cluster: string, time: Date): string {
    return `${cluster}-${time.toISOString().replaceAll(/[-:]/g, "")}`;
}

/** When a snapshot of this cluster was taken, by its name; undefined if it is none. */
export function snapshotTime(cluster: string, name: string): Date | undefined {
    if (!name.startsWith(`${cluster}-`)) {
        return undefined;
    }
    const stamp = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)$/.exec(name.slice(cluster.length + 1));
    return stamp ? new Date(`${stamp.slice(1, 4).join("-")}T${stamp.slice(4).join(":")}`) : undefined;
}
