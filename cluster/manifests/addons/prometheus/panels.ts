/** A query, and the name of its series: `<label>` is replaced by the value of that label. */
type Query = readonly [expr: string, name: string];

/** A part of the dashboard. */
export interface Panel {
    readonly title: string;
    /** @default - a number without a unit */
    readonly unit?: "s" | "bytes" | "reqps" | "d";
    readonly queries: readonly Query[];
}

/** Numbers that should be zero. */
export const counts: readonly Panel[] = [
    { title: "Alerts", queries: [['count(ALERTS{alertstate="firing"}) or vector(0)', "firing"]] },
    { title: "Targets that cannot be scraped", queries: [["count(up == 0) or vector(0)", "down"]] },
    { title: "Stale checkpoints", queries: [["count(tradewind_checkpoint_current == 0) or vector(0)", "stale"]] },
    { title: "etcd alarms", queries: [["sum(tradewind_etcd_alarms)", "alarms"]] },
    { title: "Nodes not as desired", queries: [["count(tradewind_node_in_desired_state == 0) or vector(0)", "nodes"]] },
];

/** What is listed with its present value. */
export const lists: readonly Panel[] = [
    {
        title: "Days until certificates expire",
        unit: "d",
        queries: [
            ["sort((tradewind_certificate_end_timestamp_seconds - time()) / 86400)", "<instance> <holder> <file>"],
        ],
    },
];

/** What is drawn over time. */
export const graphs: readonly Panel[] = [
    {
        title: "CPU of nodes, cores",
        queries: [["rate(node_cpu_usage_seconds_total[5m])", "<instance>"]],
    },
    { title: "Memory of nodes", unit: "bytes", queries: [["node_memory_working_set_bytes", "<instance>"]] },
    {
        title: "API requests by code",
        unit: "reqps",
        queries: [["sum by (code) (rate(apiserver_request_total[5m]))", "<code>"]],
    },
    { title: "Pending pods of kube-scheduler", queries: [["sum by (queue) (scheduler_pending_pods)", "<queue>"]] },
    {
        title: "Work queues of kube-controller-manager",
        queries: [['topk(5, sum by (name) (workqueue_depth{job="kube-controller-manager"}))', "<name>"]],
    },
    {
        title: "Age of the newest etcd snapshot",
        unit: "s",
        queries: [
            ["time() - max(tradewind_etcd_snapshot_timestamp_seconds)", "age"],
            ["2 * max(tradewind_etcd_snapshot_interval_seconds) + 600", "limit"],
        ],
    },
    {
        title: "etcd store",
        unit: "bytes",
        queries: [
            ["tradewind_etcd_member_db_size_bytes", "<member>: file"],
            ["tradewind_etcd_member_db_in_use_bytes", "<member>: data"],
            ["max(tradewind_etcd_member_db_quota_bytes)", "quota"],
        ],
    },
    {
        title: "etcd fsync of the log, 99 %",
        unit: "s",
        queries: [[quantile("etcd_disk_wal_fsync_duration_seconds"), "<instance>"]],
    },
    {
        title: "Pods that run from their checkpoint",
        queries: [["tradewind_checkpoint_copy_active == 1", "<instance> <parent>"]],
    },
    {
        title: "DNS requests",
        unit: "reqps",
        queries: [["sum by (instance) (rate(coredns_dns_requests_total[5m]))", "<instance>"]],
    },
    {
        title: "kube-proxy: time to program rules, 99 %",
        unit: "s",
        queries: [[quantile("kubeproxy_sync_proxy_rules_duration_seconds"), "<instance>"]],
    },
];

function quantile(histogram: string): string {
    return `histogram_quantile(0.99, sum by (instance, le) (rate(${histogram}_bucket[5m])))`;
}
