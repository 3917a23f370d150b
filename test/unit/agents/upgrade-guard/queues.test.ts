import assert from "node:assert/strict";
import { type QueueProgram, QueueReader, readQueue } from "../../../../agents/upgrade-guard/queues";
import { apiError } from "../../../../clients/kubernetes/api-error";
import { upgradeGuardPlan } from "../../../../cluster/manifests/control-plane/upgrade-guard";

const manager = (started: number, depth: number, retries: number) => `# HELP workqueue_depth Depth
process_start_time_seconds ${started}
workqueue_depth{name="deployment"} ${depth}
workqueue_depth{name="job"} 1
workqueue_depth_other 1000
workqueue_retries_total{name="deployment"} ${retries}
workqueue_retries_total{name="job"} 2
workqueue_adds_total{name="job"} 1000
`;

const scheduler = (started: number) => `process_start_time_seconds ${started}
scheduler_pending_pods{queue="active"} 3
scheduler_pending_pods{queue="backoff"} 4
scheduler_pending_pods{queue="gated"} 100
scheduler_pending_pods{queue="unschedulable"} 100
scheduler_schedule_attempts_total{profile="default-scheduler",result="error"} 5
scheduler_schedule_attempts_total{profile="default-scheduler",result="scheduled"} 100
workqueue_depth{name="ca"} 1000
`;

describe("queues that an upgrade guard reads", () => {
    const names: readonly QueueProgram[] = ["kube-controller-manager", "kube-scheduler"];
    let texts: Record<number, string>;
    let now: number;
    let lines: string[];
    let called: string[];
    const start = () =>
        new QueueReader(upgradeGuardPlan().queues, {
            // As the kernel reports it: by port and user.
            listeners: { find: async ({ port, user }) => (user > 60800 ? `127.64.0.${port % 100}` : undefined) },
            clientAt: (address, port) => ({
                call: async <T>(path: string) => {
                    called.push(`${address}:${port}${path}`);
                    const text = texts[port];
                    if (text === undefined) throw apiError(403, "forbidden");
                    return text as T;
                },
            }),
            log: (line) => lines.push(line),
            clock: () => now,
        });
    beforeEach(() => {
        texts = { 10257: manager(1.7e9, 7, 10), 10259: scheduler(1.7e9) };
        [now, lines, called] = [0, [], []];
    });

    it("are totals of one program", () => {
        assert.deepEqual(readQueue("kube-controller-manager", manager(5, 7, 10)), {
            started: 5,
            waiting: 8,
            failed: 12,
        });
        assert.deepEqual(readQueue("kube-scheduler", scheduler(5)), { started: 5, waiting: 7, failed: 5 });
        for (const name of names) {
            for (const other of ["", "<html>", "process_start_time_seconds 1"]) {
                assert.equal(readQueue(name, other), undefined);
            }
        }
    });

    it("are read at the address of the program, with failures per second of the same process", async () => {
        const reader = start();
        assert.deepEqual(await reader.read(), {
            "kube-controller-manager": { waiting: 8 },
            "kube-scheduler": { waiting: 7 },
        });
        assert.deepEqual(called, ["127.64.0.57:10257/metrics", "127.64.0.59:10259/metrics"]);
        now += 2_000;
        texts[10257] = manager(1.7e9, 0, 20);
        assert.deepEqual(await reader.read(), {
            "kube-controller-manager": { waiting: 1, failedPerSecond: 5 },
            "kube-scheduler": { waiting: 7, failedPerSecond: 0 },
        });
        now += 2_000;
        texts[10257] = manager(1.8e9 - 1e8 + 1, 0, 0);
        assert.deepEqual((await reader.read())["kube-controller-manager"], { waiting: 1 });
    });

    it("are none of a process that has just started: everything waits there", async () => {
        texts[10257] = manager(Date.now() / 1000 - 5, 5_000, 0);
        assert.deepEqual(Object.keys(await start().read()), ["kube-scheduler"]);
        assert.deepEqual(lines, []);
    });

    it("are left out if they cannot be read, and the log says so once", async () => {
        const reader = start();
        delete texts[10257];
        for (let count = 0; count < 20; count++) {
            assert.deepEqual(Object.keys(await reader.read()), ["kube-scheduler"]);
        }
        const why = "kube-controller-manager's queues are not compared: its metrics could not be read: ";
        assert.equal(lines.length, 1);
        assert.ok(lines[0]!.startsWith(why), lines[0]);
        texts[10257] = manager(1.7e9, 7, 10);
        assert.deepEqual(Object.keys(await reader.read()), [...names]);
        assert.deepEqual(lines.slice(1), ["kube-controller-manager's queues are compared again"]);
    });
});
