import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type RestorePlan, stepNames } from "../../agents/etcd/keeper/restore/plan";
import { peerUrl } from "../../cluster/manifests/etcd/member";
import { paths } from "../../cluster/paths";
import { restoreUntilCrash, runAgent, startAgent } from "./etcd-keeper/agent";
import { S3Server } from "./etcd-keeper/s3-server";
import { KeeperScene } from "./etcd-keeper/scene";
import { binary } from "./kubernetes-fixture/binaries";
import { until } from "./until";

describe("the restore of an etcd member", function () {
    this.timeout(120_000);
    let scene: KeeperScene;
    let file: string;
    let restores = 0;

    const value = (key: string) => scene.cluster.ownValue(scene.first, key);
    const revision = async () => Number((await scene.first.client.status(scene.plan().endpoint)).header.revision);
    const dataParent = () => dirname(scene.first.path(paths.etcdMemberData));
    const plan = (change: Partial<RestorePlan> = {}): RestorePlan => {
        const { machine, localhost } = scene.first;
        return {
            id: `restore-${restores}`,
            source: { file },
            member: { name: machine.name, peerUrl: peerUrl(machine), healthUrl: `http://${localhost}:2381` },
            initialCluster: `${machine.name}=${peerUrl(machine)}`,
            directories: {
                data: scene.first.path(paths.etcdMemberData),
                staticPods: scene.first.path(paths.staticPods),
                state: scene.first.path("/var/lib/tradewind/etcd-restore"),
            },
            etcdutl: binary("etcdutl"),
            ...change,
        };
    };
    const restoresIt = async (change: Partial<RestorePlan> = {}) => {
        const { exit, output } = await runAgent("restore", scene.writePlan(plan(change)));
        assert.equal(exit, 0, output);
        return output;
    };
    const isRestored = async () => {
        assert.equal(await value("before"), "kept");
        assert.equal(await value("after"), undefined);
        // Next to its data is the lock of a member's agents.
        const names = readdirSync(dataParent())
            .filter((name) => name !== "member-data.agent")
            .sort();
        assert.deepEqual(names, ["member-data", `member-data.before-restore-${restores}`]);
    };

    before(async () => {
        scene = new KeeperScene();
        await scene.cluster.start();
        await scene.cluster.put("before", "kept");
        const { last } = await scene.snapshots().take("demand");
        file = join(scene.directory, `${last!.name}.db`);
    });
    after(() => scene.remove());

    beforeEach(async () => {
        restores++;
        for (const name of readdirSync(dataParent()).filter((name) => name.includes(".before-"))) {
            rmSync(join(dataParent(), name), { recursive: true });
        }
        await scene.cluster.put("after", "lost");
    });

    it("restores the snapshot's data, never an earlier revision, and keeps the old data", async () => {
        const before = await revision();
        const output = await restoresIt();
        assert.match(output, /swap-data: the old data is in .*member-data\.before-restore-1/);
        await isRestored();
        assert.ok((await revision()) >= before + 999_999_000, `${await revision()} after ${before}`);
        const [member] = await scene.first.members();
        assert.deepEqual([member!.name, member!.peerURLs], ["c-controller-0", [peerUrl(scene.first.machine)]]);
    });

    it("does nothing once it is done, even if the cluster has moved on", async () => {
        await restoresIt();
        await scene.cluster.put("later", "stays");
        const { pid } = scene.first.kubelet;
        await restoresIt();
        assert.equal(await value("later"), "stays");
        assert.equal(scene.first.kubelet.pid, pid);
    });

    it("resumes after SIGKILL at the start and at the end of every step", async () => {
        for (const step of stepNames) {
            for (const event of ["start", "done"]) {
                const { exit, output } = await restoreUntilCrash(scene.writePlan(plan()), `${step}:${event}`);
                assert.equal(exit, "SIGKILL", `${step}:${event}: ${output}`);
            }
        }
        await restoresIt();
        await isRestored();
    });

    it("resumes after SIGKILL at any other moment", async () => {
        const path = scene.writePlan(plan());
        for (let milliseconds = 60; milliseconds < 900; milliseconds += 30) {
            const { child, ended } = startAgent("restore", path);
            await sleep(milliseconds);
            child.kill("SIGKILL");
            await ended;
        }
        await restoresIt();
        await isRestored();
    });

    it("resumes when the power failed between the two renames of the swap", async () => {
        const { exit } = await restoreUntilCrash(scene.writePlan(plan()), "restore-data:done");
        assert.equal(exit, "SIGKILL");
        const state = plan().directories;
        // The same as `swap-data` does up to that point.
        writeFileSync(join(state.state, `${plan().id}.swapping`), "");
        renameSync(state.data, `${state.data}.before-${plan().id}`);
        await restoresIt();
        await isRestored();
    });

    it("touches nothing if the snapshot is damaged", async () => {
        const bad = join(scene.folder, "bad.db");
        const bytes = readFileSync(file);
        bytes[5000]! ^= 1;
        writeFileSync(bad, bytes);
        const { exit, output } = await runAgent("restore", scene.writePlan(plan({ source: { file: bad } })));
        assert.equal(exit, 1);
        assert.match(output, /^fetch-snapshot: failed: .* is damaged/);
        assert.equal(await value("after"), "lost");
    });

    it("is possible from a store, whose snapshot is fetched and decrypted by any of the given keys first", async () => {
        const server = new S3Server();
        await server.start();
        try {
            const [former, current, other] = [1, 2, 3].map((each) => Buffer.alloc(32, each).toString("base64"));
            const { endpoint, bucket } = server;
            const s3 = (...keys: (string | undefined)[]) => {
                const files = { ...server.secrets, "encryption-key": keys.join("\n") };
                const secrets = scene.writeSecrets("secrets", files);
                return { endpoint, region: "us-east-1", bucket, prefix: "c", secrets, isEncrypted: true };
            };
            await scene.cluster.put("stored", "yes");
            const { last } = await scene.snapshots({ s3: s3(former) }).take("demand");
            await scene.cluster.put("stored", "changed");
            const target = join(scene.folder, "fetched.db");
            const fetches = (...keys: (string | undefined)[]) =>
                runAgent(
                    "fetch",
                    scene.writePlan({ source: { s3: s3(...keys), cluster: "c" }, target, etcdutl: binary("etcdutl") }),
                );
            const failed = await fetches(current, other);
            assert.equal(failed.exit, 1);
            assert.match(failed.output, new RegExp(`${last!.name} was not encrypted with any of the 2 known keys`));
            assert.ok(!existsSync(target));
            const { exit, output } = await fetches(current, former);
            assert.equal(exit, 0, output);
            assert.match(output, new RegExp(`^${last!.name}: ${last!.size} bytes, revision \\d+, \\d+ keys$`, "m"));
            await restoresIt({ source: { file: target } });
            await until("the value", async () => (await value("stored")) === "yes");
        } finally {
            await server.remove();
        }
    });

    it("is possible on a recreated machine, from another machine's store", async () => {
        const server = new S3Server();
        await server.start();
        try {
            const secrets = scene.writeSecrets("secrets", {
                ...server.secrets,
                "encryption-key": Buffer.alloc(32, 7).toString("base64"),
            });
            const { endpoint, bucket } = server;
            const s3 = { endpoint, region: "us-east-1", bucket, prefix: "c", secrets, isEncrypted: true };
            await scene.cluster.put("stored", "yes");
            assert.ok((await scene.snapshots({ s3 }).take("demand")).object);
            await scene.cluster.put("stored", "changed");
            const staticPod = JSON.parse(readFileSync(scene.first.path(`${paths.staticPods}/etcd.json`), "utf8"));
            const pki = scene.first.path(paths.etcdPki);
            const certificates = readdirSync(pki).map((name) => [name, readFileSync(join(pki, name))] as const);
            await scene.first.replace();
            mkdirSync(pki, { recursive: true });
            for (const [name, text] of certificates) writeFileSync(join(pki, name), text);
            const output = await restoresIt({ source: { s3, cluster: "c" }, staticPod });
            assert.match(output, /swap-data: there was no old data/);
            await until("the value", async () => (await value("stored")) === "yes");
            assert.equal(await value("after"), "lost");
        } finally {
            await server.remove();
        }
    });
});
