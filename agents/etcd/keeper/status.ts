import { type Caller, patch } from "../../../clients/kubernetes/api-client";
import { ifFound } from "../../../clients/kubernetes/api-error";
import type { ConfigMap, Deployment } from "../../../clients/kubernetes/objects";
import type { SnapshotManifest } from "./directory";
import type { MemberState, Observation } from "./observe";

/**
 * The ConfigMap in kube-system with etcd's status as JSON: `members` and `snapshot`, each written by its last observer.
 */
export const statusConfigMap = "etcd-status";

/** `data.members`: the keeper's observations. */
export interface MembersStatus {
    /** RFC 3339. It may be old: only changes are published. */
    readonly time: string;
    readonly clusterId?: string;
    readonly members: readonly Omit<MemberState, "clientUrl">[];
    readonly alarms: Observation["alarms"];
    /** Why nothing is known, or what could not be repaired. */
    readonly problem?: string;
    /** The last repair: a defragmentation or a disarmed alarm. */
    readonly mended?: { readonly time: string; readonly message: string };
}

/** `data.snapshot`: the last snapshots taken, by timer or on demand. */
export interface SnapshotStatus {
    /** The last good one. */
    readonly last?: SnapshotManifest;
    /** Directory on `last.node`. */
    readonly directory: string;
    /** URL of its copy, once that has been read back: `s3://bucket/prefix/name.db`. */
    readonly object?: string;
    /** A snapshot exists that was read back and is good. */
    readonly isVerified: boolean;
    /** Why the last attempt failed. `last` is from an earlier one then. */
    readonly failure?: { readonly time: string; readonly message: string };
    /** Why `last` has no copy in the store. The keeper retries. */
    readonly copyFailure?: { readonly time: string; readonly message: string };
    /** Number of complete snapshots in the directory. */
    readonly count: number;
    /** When the next one is due: RFC 3339. */
    readonly next?: string;
}

/** The keeper's Deployment, in kube-system. */
export const keeperName = "etcd-keeper";

/** What the keeper reports on the members. @returns undefined if it has not, or does not run: its report may be old then */
export async function reportedMembers(api: Caller): Promise<MembersStatus | undefined> {
    const [config, keeper] = await Promise.all([
        ifFound(api.call<ConfigMap>(`/api/v1/namespaces/kube-system/configmaps/${statusConfigMap}`)),
        ifFound(api.call<Deployment>(`/apis/apps/v1/namespaces/kube-system/deployments/${keeperName}`)),
    ]);
    const text = config?.data?.members;
    return text === undefined || !keeper?.status?.availableReplicas ? undefined : JSON.parse(text);
}

/** A size must change by this share to be published. */
const newsShare = 0.2;

/** Whether the status has changed enough to publish it: a write for every byte would be a load of its own. */
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
 * Writes one part of the status. Each part has its own field manager, so that a Job that takes a snapshot does not drop
 * the keeper's part.
 */
export async function publish(api: Caller, part: "members" | "snapshot", status: object): Promise<void> {
    const query = `fieldManager=etcd-keeper-${part}&force=true`;
    await patch(api, `/api/v1/namespaces/kube-system/configmaps/${statusConfigMap}?${query}`, "apply", {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: statusConfigMap, namespace: "kube-system" },
        data: { [part]: JSON.stringify(status) },
    });
}
