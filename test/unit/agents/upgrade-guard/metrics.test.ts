import assert from "node:assert/strict";
import { Measurements, restartsOf } from "../../../../agents/upgrade-guard/measure";
import { deltaOf, p99Of, readTotals, startedWithin } from "../../../../agents/upgrade-guard/metrics";
import type { Caller } from "../../../../clients/kubernetes/api-client";
import type { Pod } from "../../../../clients/kubernetes/objects";

const text = `# HELP process_start_time_seconds Start time
process_start_time_seconds 1.7e+09
apiserver_request_total{code="200",component="apiserver",verb="GET"} 90
apiserver_request_total{code="503",component="apiserver",verb="GET"} 5
apiserver_request_total_other{code="503"} 1000
apiserver_request_terminations_total{code="429",component="apiserver"} 5
apiserver_request_terminations_total{code="504",component="apiserver"} 7
apiserver_terminated_watchers_total{resource="pods"} 3
apiserver_longrunning_requests{verb="WATCH",resource="pods"} 20
apiserver_longrunning_requests{verb="CONNECT",resource="pods"} 2
apiserver_admission_webhook_rejection_count{error_type="no_error",name="a"} 50
apiserver_admission_webhook_rejection_count{error_type="calling_webhook_error",name="a"} 2
apiserver_admission_webhook_fail_open_count{name="a"} 1
apiserver_request_duration_seconds_bucket{verb="GET",le="0.1"} 99
apiserver_request_duration_seconds_bucket{verb="GET",le="1"} 100
apiserver_request_duration_seconds_bucket{verb="GET",le="+Inf"} 100
apiserver_request_duration_seconds_bucket{verb="PATCH",le="0.1"} 0
apiserver_request_duration_seconds_bucket{verb="PATCH",le="+Inf"} 4
apiserver_request_duration_seconds_bucket{verb="WATCH",le="+Inf"} 1000
`;

describe("metrics that an upgrade guard reads", () => {
    const totals = readTotals(text)!;

    it("are totals of requests, failures and durations", () => {
        const { reads, writes, ...counts } = totals;
        assert.deepEqual(counts, {
            started: 1_700_000_000,
            requests: 100,
            failed: 10,
            webhookFailures: 3,
            endedWatches: 3,
            watches: 20,
        });
        assert.deepEqual(reads, { "0.1": 99, "1": 100, "+Inf": 100 });
        assert.deepEqual(writes, { "0.1": 0, "+Inf": 4 });
    });

    it("are missing in other texts", () => {
        for (const other of ["", "<html>", "process_start_time_seconds 1"]) assert.equal(readTotals(other), undefined);
    });

    it("are compared with those of the same process only", () => {
        const later = { ...totals, requests: 150, reads: { ...totals.reads, "+Inf": 130 } };
        assert.equal(deltaOf(totals, later)!.requests, 50);
        assert.deepEqual(deltaOf(totals, later)!.reads, { "0.1": 0, "1": 0, "+Inf": 30 });
        assert.equal(deltaOf(totals, { ...later, started: 1 }), undefined);
    });

    it("show whether a process has just started, although the clock was set back since", () => {
        const started = 1_700_000_000;
        const after = (seconds: number) => startedWithin(15, { started }, (started + seconds) * 1000);
        assert.deepEqual([0, 14, 15, -1, -3_600].map(after), [true, true, false, false, false]);
    });

    it("give the slowest hundredth, of enough requests", () => {
        assert.deepEqual(p99Of([totals.reads], 20), { above: 0, upTo: 0.1 });
        assert.deepEqual(p99Of([totals.reads, { "0.1": 0, "1": 100, "+Inf": 100 }], 20), { above: 0.1, upTo: 1 });
        assert.deepEqual(p99Of([{ "60": 98, "+Inf": 100 }], 20), { above: 60, upTo: Number.POSITIVE_INFINITY });
        assert.equal(p99Of([totals.writes], 20), undefined);
        assert.equal(p99Of([], 20), undefined);
    });

    it("do not count restarts of pods that are Ready, or older than the upgrade", () => {
        const pod = (created: string, ready: string, restartCount: number) =>
            ({
                metadata: { name: "a", creationTimestamp: created, labels: { "k8s-app": "kube-scheduler" } },
                spec: { containers: [] },
                status: {
                    conditions: [{ type: "Ready", status: ready }],
                    containerStatuses: [{ name: "a", ready: false, restartCount }],
                },
            }) as Pod;
        const since = Date.parse("2026-01-01T00:00:00Z");
        assert.deepEqual(restartsOf([pod("2025-01-01T00:00:00Z", "False", 9)], since), {});
        assert.deepEqual(restartsOf([pod("2026-02-01T00:00:00Z", "True", 9)], since), {});
        assert.deepEqual(restartsOf([pod("2026-02-01T00:00:00Z", "False", 2)], since), { "kube-scheduler": 2 });
        assert.deepEqual(restartsOf([pod("2026-02-01T00:00:00Z", "False", 5)], since, { a: 3, b: 9 }), {
            "kube-scheduler": 2,
        });
    });

    it("do not count restarts while the machine starts, later either", async () => {
        let restartCount = 3;
        const call = async (path: string) => {
            if (!path.includes("/pods?")) throw new Error("no answer");
            const metadata = { name: "a", creationTimestamp: "2026-02-01T00:00:00Z" };
            return {
                items: [{ metadata, status: { containerStatuses: [{ name: "a", ready: false, restartCount }] } }],
            };
        };
        const queues = { read: async () => ({}) };
        const measurements = new Measurements({ call } as Caller, "c-0", queues, () => performance.now());
        assert.deepEqual((await measurements.take(0, true)).restarts, { a: 0 });
        restartCount = 5;
        assert.deepEqual((await measurements.take(0)).restarts, { a: 2 });
    });
});
