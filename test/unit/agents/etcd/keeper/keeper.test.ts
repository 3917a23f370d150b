import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { Keeper } from "../../../../../agents/etcd/keeper/keeper";
import type { KeeperPlan } from "../../../../../agents/etcd/keeper/plan";
import { Snapshots } from "../../../../../agents/etcd/keeper/snapshots";
import type { SnapshotStatus } from "../../../../../agents/etcd/keeper/status";
import type { EtcdClient } from "../../../../../clients/etcd/client";

describe("the keeper of a fragmented etcd", () => {
    it("logs once that a member is not healthy, however long, and publishes it", async () => {
        const member = { ID: "1", name: "a", clientURLs: ["https://a:2379"], peerURLs: ["https://a:2380"] };
        const other = { ID: "2", name: "b", clientURLs: ["https://b:2379"], peerURLs: ["https://b:2380"] };
        const header = { cluster_id: "7", member_id: "1", revision: "5" };
        const client = {
            status: async (url: string) => {
                if (url.includes("//b:")) throw new Error("refused");
                return { header, leader: "1", version: "3.6.0", dbSize: String(2 ** 30), dbSizeInUse: "1000" };
            },
            members: async () => [member, other],
            alarms: async () => [],
        } as unknown as EtcdClient;
        const lines: string[] = [];
        const problems: unknown[] = [];
        const keeper = new Keeper({
            plan: { endpoint: "https://a:2379", snapshots: { intervalSeconds: 3600 } } as KeeperPlan,
            client,
            snapshots: { last: () => undefined } as unknown as Snapshots,
            publish: async (part, status) => {
                problems.push([part, (status as { problem?: string }).problem]);
            },
            log: (line) => lines.push(line),
        });
        for (let round = 0; round < 4; round++) await keeper.reconcile();
        const text = "skipped defragmentation because a member is not healthy: b: refused";
        assert.deepEqual(lines, [text]);
        assert.deepEqual(problems, [["members", text]]);
    });
});

describe("the keeper", () => {
    const header = { cluster_id: "7", member_id: "1", revision: "5" };
    const member = { ID: "1", name: "a", clientURLs: ["https://a:2379"], peerURLs: ["https://a:2380"] };
    const healthy = { header, leader: "1", version: "3.6.0", dbSize: "1000", dbSizeInUse: "1000" };
    let now: number;
    let clock: number;
    let published: [part: string, status: Partial<SnapshotStatus>][];
    beforeEach(() => {
        [now, clock, published] = [1_000_000, Date.parse("2026-12-01T00:00:00Z"), []];
        mock.method(performance, "now", () => now);
        mock.timers.enable({ apis: ["Date"], now: clock });
    });
    afterEach(() => {
        mock.restoreAll();
        mock.timers.reset();
    });

    function keeper(client: object, snapshots: object, directory = "/none"): Keeper {
        const plan = {
            ...{ clusterName: "c", endpoint: "https://a:2379" },
            snapshots: { directory, intervalSeconds: 3600, retention: { keep: 3 } },
        } as KeeperPlan;
        const answers = {
            status: async () => healthy,
            members: async () => [member],
            alarms: async () => [],
            ...client,
        };
        const log = () => {};
        const all = { plan, client: answers as unknown as EtcdClient, log };
        return new Keeper({
            ...all,
            snapshots: "last" in snapshots ? (snapshots as Snapshots) : new Snapshots({ ...all, node: "n" }),
            publish: async (part, status) => void published.push([part, status]),
        });
    }

    /** @param set - by how much the clock is set: milliseconds */
    function pass(milliseconds: number, set = 0): void {
        now += milliseconds;
        clock += milliseconds + set;
        mock.timers.setTime(clock);
    }

    it("reports that its directory of snapshots cannot be used, and goes on", async () => {
        const home = mkdtempSync(join(tmpdir(), "etcd-keeper-"));
        try {
            const file = join(home, "snapshots");
            writeFileSync(file, "");
            const own = keeper({}, {}, file);
            await own.reconcile();
            pass(120_000);
            await own.reconcile();
            const [, status] = published.find(([part]) => part === "snapshot")!;
            assert.match(status.failure!.message, /snapshots/);
            assert.equal(status.isVerified, false);
            assert.ok(own.metrics().length > 0);
        } finally {
            rmSync(home, { recursive: true });
        }
    });

    it("makes space again after five minutes, although the clock was set back", async () => {
        const sent: string[] = [];
        const own = keeper(
            {
                alarms: async () => [{ memberID: "1", alarm: "NOSPACE" }],
                send: async (_: string, path: string) => void sent.push(path),
            },
            { last: () => ({ time: new Date().toISOString() }) },
        );
        const compactions = () => sent.filter((path) => path === "kv/compaction").length;
        await own.reconcile();
        pass(60_000, -3_600_000);
        await own.reconcile();
        assert.equal(compactions(), 1);
        pass(240_000);
        await own.reconcile();
        assert.equal(compactions(), 2);
    });

    it("repeats a failed copy after five minutes, although the clock was set back", async () => {
        let copies = 0;
        const failed = () => ({ copyFailure: { time: new Date().toISOString(), message: "refused" } });
        let last: object | undefined;
        const take = async () => {
            last = { time: new Date().toISOString() };
            return { last, ...failed() };
        };
        const copy = async () => {
            copies++;
            return { last, ...failed() };
        };
        const own = keeper({}, { last: () => last, take, copy });
        pass(120_000);
        await own.reconcile();
        assert.ok(last);
        // Not so far that the snapshot itself is from the future.
        last = { time: new Date(clock - 1_000_000).toISOString() };
        pass(60_000, -900_000);
        await own.reconcile();
        assert.equal(copies, 0);
        for (const expected of [1, 2]) {
            pass(300_000);
            await own.reconcile();
            assert.equal(copies, expected);
        }
    });
});
