import type { SnapshotFacts } from "../facts";

/** What `kube-system/etcd-keeper-status` says of the last snapshot: the one place that knows how it is written. */
export function snapshotFacts(data: Readonly<Record<string, string>> | undefined): SnapshotFacts | null {
    const at = Date.parse(data?.lastSnapshotTime ?? "");
    return Number.isNaN(at) ? null : { at: new Date(at).toISOString(), name: data?.lastSnapshot };
}
