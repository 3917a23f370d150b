import assert from "node:assert/strict";
import { Keeper } from "../../../../../agents/etcd/keeper/keeper";
import type { KeeperPlan } from "../../../../../agents/etcd/keeper/plan";
import type { Snapshots } from "../../../../../agents/etcd/keeper/snapshots";
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
