import assert from "node:assert/strict";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkpointerMetrics } from "../../../agents/checkpointer/metrics";
import { keeperMetrics } from "../../../agents/etcd/keeper/metrics";
import { type Metric, metricsText } from "../../../agents/harness/metrics";
import { nodeAgentMetrics } from "../../../agents/nodes/node-agent/metrics";

const values = async (metrics: Metric[]) =>
    (await metricsText(metrics)).split("\n").filter((line) => line !== "" && !line.startsWith("#"));

describe("metrics of the checkpointer", () => {
    it("say what runs from where, and whether it is saved", async () => {
        const lines = await values(
            checkpointerMetrics({
                status: {
                    a: { runs: "api", checkpoint: { generation: "1", savedAt: "2026-01-01T00:00:00Z" } },
                    b: { runs: "checkpoint", refused: "a volume", damaged: ["1/pod.json is empty"] },
                    c: { runs: "both" },
                },
                current: new Map([["a", true]]),
                actions: new Map([["a save", 2]]),
                certificates: [{ holder: "pki", file: "ca.crt", end: 5 }],
                idleSeconds: 1.5,
            }),
        );
        assert.deepEqual(lines, [
            'tradewind_checkpoint_current{parent="a"} 1',
            'tradewind_checkpoint_saved_timestamp_seconds{parent="a"} 1767225600',
            'tradewind_checkpoint_refused{parent="a"} 0',
            'tradewind_checkpoint_refused{parent="b"} 1',
            'tradewind_checkpoint_refused{parent="c"} 0',
            'tradewind_checkpoint_damaged_files{parent="a"} 0',
            'tradewind_checkpoint_damaged_files{parent="b"} 1',
            'tradewind_checkpoint_damaged_files{parent="c"} 0',
            'tradewind_checkpoint_copy_active{parent="a"} 0',
            'tradewind_checkpoint_copy_active{parent="b"} 1',
            'tradewind_checkpoint_copy_active{parent="c"} 1',
            'tradewind_checkpointer_actions_total{parent="a",action="save"} 2',
            "tradewind_checkpointer_idle_seconds 1.5",
            'tradewind_certificate_end_timestamp_seconds{holder="pki",file="ca.crt"} 5',
        ]);
    });
});

describe("metrics of etcd-keeper", () => {
    const member = { id: "1", isLearner: false, isLeader: true, dbSize: 3, dbSizeInUse: 2, quota: 4 };

    it("say what members and snapshots are like", async () => {
        const lines = await values(
            keeperMetrics({
                observed: {
                    members: [
                        { ...member, name: "m0" },
                        { ...member, name: "", id: "2", problem: "it has never started" },
                    ],
                    alarms: [{ member: "m0", memberId: "1", alarm: "NOSPACE" }],
                },
                last: { time: "2026-01-01T00:00:00Z", size: 7 },
                snapshot: { copyFailure: { time: "2026-01-01T00:00:00Z", message: "denied" } },
                intervalSeconds: 3600,
            }),
        );
        assert.deepEqual(lines, [
            "tradewind_etcd_reachable 1",
            'tradewind_etcd_member_healthy{member="m0"} 1',
            'tradewind_etcd_member_healthy{member="2"} 0',
            'tradewind_etcd_member_db_size_bytes{member="m0"} 3',
            'tradewind_etcd_member_db_size_bytes{member="2"} 3',
            'tradewind_etcd_member_db_in_use_bytes{member="m0"} 2',
            'tradewind_etcd_member_db_in_use_bytes{member="2"} 2',
            'tradewind_etcd_member_db_quota_bytes{member="m0"} 4',
            'tradewind_etcd_member_db_quota_bytes{member="2"} 4',
            'tradewind_etcd_alarms{alarm="NOSPACE"} 1',
            'tradewind_etcd_alarms{alarm="CORRUPT"} 0',
            "tradewind_etcd_snapshot_timestamp_seconds 1767225600",
            "tradewind_etcd_snapshot_size_bytes 7",
            "tradewind_etcd_snapshot_interval_seconds 3600",
            'tradewind_etcd_snapshot_failed{step="take"} 0',
            'tradewind_etcd_snapshot_failed{step="copy"} 1',
        ]);
    });

    it("claim nothing about an etcd that does not answer", async () => {
        assert.deepEqual(await values(keeperMetrics({ intervalSeconds: 60 })), [
            "tradewind_etcd_reachable 0",
            "tradewind_etcd_snapshot_interval_seconds 60",
            'tradewind_etcd_snapshot_failed{step="take"} 0',
            'tradewind_etcd_snapshot_failed{step="copy"} 0',
        ]);
    });
});

describe("metrics of a node-agent", () => {
    it("say whether the node is as desired, and when a part of it changed", async () => {
        const state = mkdtempSync(join(tmpdir(), "node-agent-metrics-"));
        try {
            writeFileSync(join(state, "journal.json"), "{}");
            utimesSync(join(state, "journal.json"), 100, 100);
            const failures = { kubelet: "it crashed", "cni-plugins": undefined, reboot: undefined };
            const lines = await values(
                nodeAgentMetrics({
                    desired: "1.36.3",
                    isNodeDesired: false,
                    failures: { ...failures, "container-runtime": undefined },
                    state,
                    idleSeconds: 2,
                }),
            );
            assert.deepEqual(lines, [
                'tradewind_node_desired_info{version="1.36.3"} 1',
                "tradewind_node_in_desired_state 0",
                'tradewind_node_change_failed{part="kubelet"} 1',
                'tradewind_node_change_failed{part="cni-plugins"} 0',
                'tradewind_node_change_failed{part="container-runtime"} 0',
                'tradewind_node_change_failed{part="reboot"} 0',
                'tradewind_node_change_timestamp_seconds{part="kubelet"} 100',
                "tradewind_node_agent_idle_seconds 2",
            ]);
        } finally {
            rmSync(state, { recursive: true });
        }
    });
});
