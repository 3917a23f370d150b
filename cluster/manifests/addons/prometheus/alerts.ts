interface Alert {
    readonly alert: string;
    /** PromQL: fires for each series that it returns. */
    readonly expr: string;
    /** How long it must do so. @default - at once */
    readonly for?: string;
    readonly severity: "warning" | "critical";
    /** A template of Prometheus. */
    readonly summary: string;
}

/** Rules on what Tradewind's agents know, and on targets that cannot be scraped: a file of rules for Prometheus. */
export function alertRules() {
    return {
        groups: Object.entries<readonly Alert[]>(alertGroups).map(([name, alerts]) => ({
            name,
            rules: alerts.map(({ severity, summary, ...rule }) => ({
                ...rule,
                labels: { severity },
                annotations: { summary },
            })),
        })),
    };
}

const controlPlane = ["kube-apiserver", "kube-scheduler", "kube-controller-manager", "etcd"];

/** With the label `job`, which a comparison inside `absent` would not have. */
const noneUp = [
    `sum by (job) (up{job=~"${controlPlane.join("|")}"}) == 0`,
    ...controlPlane.map((job) => `absent(up{job="${job}"})`),
].join(" or ");

const alertGroups = {
    "tradewind-targets": [
        {
            alert: "TradewindTargetDown",
            expr: "up == 0",
            for: "10m",
            severity: "warning",
            summary: "{{ $labels.job }} on {{ $labels.instance }} cannot be scraped.",
        },
        {
            alert: "TradewindControlPlaneMissing",
            expr: noneUp,
            for: "5m",
            severity: "critical",
            summary: "No {{ $labels.job }} can be scraped: see tradewind status.",
        },
    ],
    "tradewind-checkpoints": [
        {
            alert: "TradewindCheckpointStale",
            expr: "tradewind_checkpoint_current == 0",
            for: "15m",
            severity: "warning",
            summary:
                "The checkpoint of {{ $labels.parent }} on {{ $labels.instance }} is not of the running pod: after a reboot the earlier one runs.",
        },
        {
            alert: "TradewindCheckpointRefused",
            expr: "tradewind_checkpoint_refused == 1",
            for: "5m",
            severity: "warning",
            summary: "{{ $labels.parent }} on {{ $labels.instance }} cannot be checkpointed: see tradewind status.",
        },
        {
            alert: "TradewindRunsFromCheckpoint",
            expr: "tradewind_checkpoint_copy_active == 1",
            for: "15m",
            severity: "warning",
            summary: "{{ $labels.parent }} on {{ $labels.instance }} runs from its checkpoint, not from the API.",
        },
        {
            alert: "TradewindCheckpointerStalled",
            expr: "tradewind_checkpointer_idle_seconds > 120",
            for: "5m",
            severity: "warning",
            summary: "The checkpointer on {{ $labels.instance }} does not reconcile.",
        },
    ],
    "tradewind-etcd": [
        {
            alert: "TradewindSnapshotOld",
            expr: "time() - tradewind_etcd_snapshot_timestamp_seconds > 2 * tradewind_etcd_snapshot_interval_seconds + 600",
            for: "10m",
            severity: "critical",
            summary: "The newest etcd snapshot was taken {{ $value | humanizeDuration }} ago.",
        },
        {
            alert: "TradewindSnapshotMissing",
            expr: "absent(tradewind_etcd_snapshot_timestamp_seconds)",
            for: "30m",
            severity: "critical",
            summary: "There is no etcd snapshot, or etcd-keeper cannot be scraped.",
        },
        {
            alert: "TradewindSnapshotFailed",
            expr: "tradewind_etcd_snapshot_failed == 1",
            for: "10m",
            severity: "warning",
            summary: "The last etcd snapshot failed at the step {{ $labels.step }}.",
        },
        {
            alert: "TradewindEtcdAlarm",
            expr: "tradewind_etcd_alarms > 0",
            severity: "critical",
            summary: "etcd raised {{ $labels.alarm }}: see docs/etcd.md.",
        },
        {
            alert: "TradewindEtcdMemberUnhealthy",
            expr: "tradewind_etcd_member_healthy == 0",
            for: "5m",
            severity: "warning",
            summary: "The etcd member {{ $labels.member }} is not healthy.",
        },
        {
            alert: "TradewindEtcdUnreachable",
            expr: "tradewind_etcd_reachable == 0",
            for: "5m",
            severity: "critical",
            summary: "etcd has no quorum, or does not answer etcd-keeper.",
        },
        {
            alert: "TradewindEtcdSpace",
            expr: "tradewind_etcd_member_db_in_use_bytes / (tradewind_etcd_member_db_quota_bytes > 0) > 0.8",
            for: "10m",
            severity: "warning",
            summary: "etcd member {{ $labels.member }} uses {{ $value | humanizePercentage }} of its quota.",
        },
    ],
    "tradewind-certificates": [
        {
            alert: "TradewindCertificateEnding",
            expr: "tradewind_certificate_end_timestamp_seconds - time() < 30 * 86400",
            severity: "warning",
            summary:
                "{{ $labels.file }} of {{ $labels.holder }} on {{ $labels.instance }} expires in {{ $value | humanizeDuration }}: see docs/certificates.md.",
        },
        {
            alert: "TradewindCertificateEndingSoon",
            expr: "tradewind_certificate_end_timestamp_seconds - time() < 7 * 86400",
            severity: "critical",
            summary:
                "{{ $labels.file }} of {{ $labels.holder }} on {{ $labels.instance }} expires in {{ $value | humanizeDuration }}: see docs/certificates.md.",
        },
    ],
    "tradewind-nodes": [
        {
            alert: "TradewindNodeNotReady",
            expr: "sum(max by (zone) (node_collector_unhealthy_nodes_in_zone)) > 0",
            for: "2m",
            severity: "warning",
            summary: "Nodes that are not Ready: {{ $value }}. See tradewind status.",
        },
        // After a failure the agent exits, and is restarted with growing back-off: most scrapes fail.
        {
            alert: "TradewindNodeAgentFailed",
            expr: 'max by (instance) (max_over_time(tradewind_node_change_failed[15m])) == 1 or avg by (instance) (avg_over_time(up{job="node-agent"}[15m])) < 0.5',
            for: "5m",
            severity: "warning",
            summary: "The node-agent on {{ $labels.instance }} failed or is down: its last log line has the reason.",
        },
        {
            alert: "TradewindNodeNotDesired",
            expr: "tradewind_node_in_desired_state == 0",
            for: "1h",
            severity: "warning",
            summary: "{{ $labels.instance }} has not been in the desired state for an hour: see tradewind status.",
        },
    ],
} satisfies Record<string, readonly Alert[]>;
