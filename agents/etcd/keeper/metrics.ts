import { type Metric, timestamp } from "../../harness/metrics";
import type { SnapshotManifest } from "./directory";
import type { MemberState, Observation } from "./observe";
import type { SnapshotStatus } from "./status";

/** What the keeper knows. */
export interface KeeperView {
    /** @default - etcd does not answer */
    readonly observed?: Pick<Observation, "members" | "alarms">;
    readonly last?: Pick<SnapshotManifest, "time" | "size">;
    readonly snapshot?: Pick<SnapshotStatus, "failure" | "copyFailure">;
    readonly intervalSeconds: number;
}

export function keeperMetrics({ observed, last, snapshot, intervalSeconds }: KeeperView): Metric[] {
    const perMember = (value: (member: MemberState) => number | boolean) =>
        (observed?.members ?? []).map((member) => ({
            labels: { member: member.name || member.id },
            value: value(member),
        }));
    return [
        {
            name: "tradewind_etcd_reachable",
            help: "Whether a quorum of etcd answered the last reconcile.",
            samples: [{ value: observed !== undefined }],
        },
        {
            name: "tradewind_etcd_member_healthy",
            help: "Whether a member answers and has a leader.",
            samples: perMember(({ problem }) => problem === undefined),
        },
        {
            name: "tradewind_etcd_member_db_size_bytes",
            help: "Size of a member's store.",
            samples: perMember(({ dbSize }) => dbSize),
        },
        {
            name: "tradewind_etcd_member_db_in_use_bytes",
            help: "Bytes of a member's store that hold data.",
            samples: perMember(({ dbSizeInUse }) => dbSizeInUse),
        },
        {
            name: "tradewind_etcd_member_db_quota_bytes",
            help: "Size at which a member stops accepting writes.",
            samples: perMember(({ quota }) => quota),
        },
        {
            name: "tradewind_etcd_alarms",
            help: "Raised alarms by kind.",
            samples: (["NOSPACE", "CORRUPT"] as const).map((alarm) => ({
                labels: { alarm },
                value: observed?.alarms.filter((each) => each.alarm === alarm).length,
            })),
        },
        {
            name: "tradewind_etcd_snapshot_timestamp_seconds",
            help: "When the newest complete snapshot on this controller was taken.",
            samples: [{ value: timestamp(last?.time) }],
        },
        {
            name: "tradewind_etcd_snapshot_size_bytes",
            help: "Its size.",
            samples: [{ value: last?.size }],
        },
        {
            name: "tradewind_etcd_snapshot_interval_seconds",
            help: "Configured time between two snapshots.",
            samples: [{ value: intervalSeconds }],
        },
        {
            name: "tradewind_etcd_snapshot_failed",
            help: "Whether the last attempt failed: to take a snapshot, or to copy it to the store.",
            samples: [
                { labels: { step: "take" }, value: snapshot?.failure !== undefined },
                { labels: { step: "copy" }, value: snapshot?.copyFailure !== undefined },
            ],
        },
    ];
}
