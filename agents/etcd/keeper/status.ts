import type { ApiClient } from "../../../clients/kubernetes/api-client";
import type { SnapshotManifest } from "./directory";
import type { MemberState, Observation } from "./observe";

/** The ConfigMap in kube-system that tells of etcd, as JSON: `members` and `snapshot`, by who last knew of each. */
export const statusConfigMap = "etcd-status";

/** `data.members`: what the keeper sees. */
export interface MembersStatus {
    /** RFC 3339. It may be old: only a change is published. */
    readonly time: string;
    readonly clusterId?: string;
    readonly members: readonly Omit<MemberState, "clientUrl">[];
    readonly alarms: Observation["alarms"];
    /** Why nothing is known, or what could not be mended. */
    readonly problem?: string;
    /** The last mending: a defragmentation, or the end of an alarm. */
    readonly mended?: { readonly time: string; readonly message: string };
}

/** `data.snapshot`: of the last snapshots taken, by timer or on demand. */
export interface SnapshotStatus {
    /** The last good one. */
    readonly last?: SnapshotManifest;
    /** Directory on `last.node`. */
    readonly directory: string;
    /** Where its copy lies, once that was read back too: `s3://bucket/prefix/name.db`. */
    readonly object?: string;
    /** There is one that was read back and is good. */
    readonly isVerified: boolean;
    /** Why the last try failed; `last` is of an earlier one. */
    readonly failure?: { readonly time: string; readonly message: string };
    /** Why `last` has no copy in the store. It is tried again. */
    readonly copyFailure?: { readonly time: string; readonly message: string };
    /** Whole snapshots in the directory. */
    readonly count: number;
    /** When the next is due: RFC 3339. */
    readonly next?: string;
}

/** A size has to move by this share to be news. */
const newsShare = 0.2;

/** Whether who reads the status should know: a write for each byte would be a load of its own. */
export function isNews(known: MembersStatus | undefined, now: MembersStatus): boolean {
    return (
        known === undefined || JSON.stringify(outline(known)) !== JSON.stringify(outline(now)) || hasGrown(known, now)
    );
}

function outline({ time, members, ...rest }: MembersStatus): object {
    return { ...rest, members: members.map(({ dbSize, dbSizeInUse, ...member }) => member) };
}

function hasGrown(known: MembersStatus, now: MembersStatus): boolean {
    return now.members.some((member, index) => {
        const before = known.members[index]!;
        return (["dbSize", "dbSizeInUse"] as const).some(
            (size) => Math.abs(member[size] - before[size]) > newsShare * before[size],
        );
    });
}

/**
 * Writes one part of the status. Each part has a field manager of its own, so that a Job that takes a snapshot
 * does not drop what the keeper says.
 */
export async function publish(api: ApiClient, part: "members" | "snapshot", status: object): Promise<void> {
    const query = `fieldManager=etcd-keeper-${part}&force=true`;
    await api.call(`/api/v1/namespaces/kube-system/configmaps/${statusConfigMap}?${query}`, {
        method: "PATCH",
        contentType: "application/apply-patch+yaml",
        body: {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: statusConfigMap, namespace: "kube-system" },
            data: { [part]: JSON.stringify(status) },
        },
    });
}
