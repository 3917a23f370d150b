import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { Keeper } from "../../agents/etcd/keeper/keeper";
import { observe } from "../../agents/etcd/keeper/observe";
import { defragment, leaderLast } from "../../agents/etcd/keeper/space";
import type { MembersStatus } from "../../agents/etcd/keeper/status";
import { withUid } from "../../clients/kubernetes/pods";
import { paths } from "../../cluster/paths";
import { runAgent } from "./etcd-join/agent";
import { KeeperScene } from "./etcd-keeper/scene";
import { until } from "./until";

const mebibyte = 2 ** 20;

describe("the space in etcd's store", function () {
    this.timeout(120_000);
    let scene: KeeperScene;
    let keeper: Keeper;
    let published: MembersStatus[];

    const put = (key: string, bytes = 1) => scene.cluster.put(key, randomBytes(bytes).toString("base64"));
    const hasAlarm = async () => (await scene.first.client.alarms(scene.plan().endpoint)).length > 0;
    const answer = (path: string, body: object) => scene.first.ask(path, body);
    const isFull = async () => "code" in (await answer("kv/put", { key: "YQ==", value: "YQ==" }));
    const observed = () => observe(scene.first.client, scene.plan().endpoint);

    /** Restarts the member with this quota in bytes. */
    const setQuota = async (bytes: number) => {
        const path = scene.first.path(`${paths.staticPods}/etcd.json`);
        const { pid } = scene.first.kubelet;
        const text = readFileSync(path, "utf8").replace(/quota-backend-bytes=\d+/, `quota-backend-bytes=${bytes}`);
        // Another pod, so that it restarts.
        writeFileSync(path, JSON.stringify(withUid(JSON.parse(text))));
        await until("the member to restart", () => scene.first.kubelet.pid !== pid);
        await until("the member to serve", () =>
            scene.first.members().then(
                () => true,
                () => false,
            ),
        );
    };
    const fill = async (key: (index: number) => string) => {
        for (let index = 0; !(await isFull()); index++) {
            assert.ok(index < 500, "it never got full");
            await put(key(index), 150_000);
        }
    };

    beforeEach(async () => {
        scene = new KeeperScene();
        await scene.cluster.start();
        published = [];
        keeper = new Keeper({
            plan: scene.plan(),
            client: scene.first.client,
            snapshots: scene.snapshots(),
            publish: async (part, status) => {
                if (part === "members") published.push(status as MembersStatus);
            },
            log: (line) => scene.lines.push(line),
        });
    });
    afterEach(() => scene.remove());

    it("is reclaimed, and the alarm cleared, if history has filled it", async () => {
        await setQuota(16 * mebibyte);
        await fill(() => "same");
        assert.equal(await hasAlarm(), true);
        await keeper.reconcile();
        assert.equal(await hasAlarm(), false);
        assert.equal(await isFull(), false);
        const { members, alarms } = await observed();
        assert.ok(members[0]!.dbSize < 4 * mebibyte, String(members[0]!.dbSize));
        assert.deepEqual(alarms, []);
        assert.match(published.at(-1)!.mended!.message, /^compacted .*defragmented c-controller-0: .*disarmed NOSPACE/);
        await keeper.reconcile();
        assert.deepEqual([published.at(-1)!.alarms, published.at(-1)!.problem], [[], undefined]);
    });

    it("needs a deletion if data fills it, and is reclaimed afterwards", async () => {
        await setQuota(16 * mebibyte);
        await fill((index) => `key-${index}`);
        await keeper.reconcile();
        assert.equal(await hasAlarm(), true);
        assert.match(
            published.at(-1)!.problem!,
            /^the alarm stays: c-controller-0 uses \d+ bytes of its quota of 16777216. Delete objects or raise the quota$/,
        );
        assert.deepEqual(published.at(-1)!.alarms[0]!.alarm, "NOSPACE");
        const end = Buffer.from("kez").toString("base64");
        await answer("kv/deleterange", { key: Buffer.from("key").toString("base64"), range_end: end });
        // It retries after 5 minutes; a new keeper retries at once.
        const other = new Keeper({
            plan: scene.plan(),
            client: scene.first.client,
            snapshots: scene.snapshots(),
            publish: async () => undefined,
            log: () => undefined,
        });
        await other.reconcile();
        assert.equal(await isFull(), false);
    });

    it("is reclaimed by defragmenting a store that mostly consists of free pages", async () => {
        for (let index = 0; index < 90; index++) await put("same", 1_000_000);
        const { revision, members } = await observed();
        assert.ok(members[0]!.dbSize > 100 * mebibyte, String(members[0]!.dbSize));
        await answer("kv/compaction", { revision: String(revision), physical: true });
        // What a compaction freed is reported with a delay and in parts; after defragmenting, a keeper pauses.
        await until("the pages to be free", async () => {
            // bbolt counts a page as free at the write after the one that freed it.
            await put("other");
            return (await observed()).members[0]!.dbSizeInUse < 10 * mebibyte;
        });
        // If the member does not respond, because of its disk, the keeper waits for its next check.
        await until("the store to be rewritten", async () => {
            await keeper.reconcile();
            return published.at(-1)?.mended !== undefined;
        }).catch(({ message }) => assert.fail(`${message}; the keeper: ${scene.lines.join("; ")}`));
        assert.ok((await observed()).members[0]!.dbSize < 10 * mebibyte);
        assert.match(published.at(-1)!.mended!.message, /^defragmented c-controller-0: \d+ to \d+ bytes in/);
    });

    it("is reclaimed one member at a time, and not while another one is down", async () => {
        const [first, second, third] = scene.cluster.controllers as [
            typeof scene.first,
            typeof scene.first,
            typeof scene.first,
        ];
        for (const controller of [second, third]) {
            const { exit, output } = await runAgent(scene.cluster.plan(controller));
            assert.equal(exit, 0, output);
        }
        const { members } = await observed();
        assert.deepEqual(
            leaderLast(members).map(({ name }) => name),
            [second.machine.name, third.machine.name, first.machine.name],
        );
        for (const member of leaderLast(members)) {
            assert.match(
                await defragment(first.client, scene.plan().endpoint, member),
                /^defragmented c-controller-\d/,
            );
        }
        await third.kubelet.cutPower();
        await assert.rejects(
            defragment(first.client, scene.plan().endpoint, members[0]!),
            /can't be defragmented while a member is not healthy: c-controller-2: .*ECONNREFUSED/,
        );
    });
});
