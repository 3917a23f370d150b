import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SnapshotDirectory } from "../../agents/etcd/keeper/directory";
import type { S3Plan } from "../../agents/etcd/keeper/plan";
import { verifySnapshot } from "../../agents/etcd/keeper/snapshot";
import { SnapshotStore } from "../../agents/etcd/keeper/snapshot-store";
import { runAgent, startAgent } from "./etcd-keeper/agent";
import { S3Server } from "./etcd-keeper/s3-server";
import { KeeperScene } from "./etcd-keeper/scene";
import { binary } from "./kubernetes-fixture/binaries";

describe("etcd's snapshots", function () {
    this.timeout(120_000);
    let scene: KeeperScene;
    let directory: SnapshotDirectory;

    before(async () => {
        scene = new KeeperScene();
        directory = new SnapshotDirectory(scene.directory, scene.plan().clusterName);
        await scene.cluster.start();
        // Large enough for several parts, and slow enough to be killed in the middle.
        for (let index = 0; index < 24; index++) {
            await scene.cluster.put(`key-${index}`, randomBytes(500_000).toString("base64"));
        }
    });
    after(() => scene.remove());
    beforeEach(() => rmSync(scene.directory, { recursive: true, force: true }));

    it("are accepted by etcd's own tool, described by their manifest, and restricted to root", async () => {
        const { last, isVerified, failure } = await scene.snapshots().take("demand");
        assert.deepEqual([isVerified, failure], [true, undefined]);
        const status = execFileSync(binary("etcdutl"), [
            "snapshot",
            "status",
            directory.file(last!.name),
            "-w",
            "json",
        ]);
        const { revision, totalKey } = JSON.parse(status.toString());
        assert.deepEqual([last!.revision, last!.keys], [revision, totalKey]);
        assert.equal(last!.revision, 25);
        assert.equal(last!.size, statSync(directory.file(last!.name)).size);
        assert.deepEqual(directory.list(), [last]);
        const modes = filesOf(scene.directory).map((name) => statSync(join(scene.directory, name)).mode & 0o777);
        assert.deepEqual(modes, [0o600, 0o600]);
        assert.equal(statSync(scene.directory).mode & 0o777, 0o700);
    });

    it("are kept by number", async () => {
        const snapshots = scene.snapshots({ retention: { keep: 2 } });
        const names: string[] = [];
        for (let count = 0; count < 3; count++) names.push((await snapshots.take("timer")).last!.name);
        assert.deepEqual(
            directory.list().map(({ name }) => name),
            names.slice(1),
        );
        assert.equal(filesOf(scene.directory).length, 4);
    });

    it("report a failure, keep the last good one and leave no partial files", async () => {
        await scene.snapshots().take("timer");
        const endpoint = "https://127.0.0.1:1";
        const plan = scene.writePlan({ ...scene.plan(), endpoint });
        const { exit, output } = await runAgent("snapshot", plan);
        assert.equal(exit, 1);
        assert.match(output, /snapshot failed: https:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/);
        assert.equal(filesOf(scene.directory).length, 2);
    });

    it("are recognized as damaged, wherever the damage is", async () => {
        const { last } = await scene.snapshots().take("timer");
        const file = directory.file(last!.name);
        const good = readFileSync(file);
        for (const at of [0, 5000, Math.floor(good.length / 2), good.length - 33, good.length - 1]) {
            const bad = Buffer.from(good);
            bad[at]! ^= 1;
            writeFileSync(file, bad);
            await assert.rejects(verifySnapshot(file, binary("etcdutl")), /is damaged/, `at ${at}`);
        }
        for (const length of [0, 31, good.length - 1, good.length - 512]) {
            writeFileSync(file, good.subarray(0, length));
            await assert.rejects(verifySnapshot(file, binary("etcdutl")), /is incomplete|is damaged/, `to ${length}`);
        }
        writeFileSync(file, good);
        assert.equal((await verifySnapshot(file, binary("etcdutl"))).sha256, last!.sha256);
    });

    it("are either complete or missing after SIGKILL at any moment", async () => {
        const plan = scene.writePlan(scene.plan({ retention: { keep: 3 } }));
        const names = () => (existsSync(scene.directory) ? readdirSync(scene.directory) : []);
        let left = 0;
        for (let milliseconds = 0; milliseconds < 450; milliseconds += 25) {
            const before = new Set(names());
            const { child, ended } = startAgent("snapshot", plan);
            // Counted from its first byte, not from its start, which takes longer on a busy machine.
            while (child.exitCode === null && names().every((name) => before.has(name))) await sleep(1);
            await sleep(milliseconds);
            child.kill("SIGKILL");
            await ended;
            for (const { name, sha256 } of directory.list()) {
                assert.equal((await verifySnapshot(directory.file(name), binary("etcdutl"))).sha256, sha256);
            }
            left += names().length - 2 * directory.list().length;
        }
        assert.ok(left > 0, "no run was killed while it wrote");
        const { exit, output } = await runAgent("snapshot", plan);
        assert.equal(exit, 0, output);
        assert.equal(filesOf(scene.directory).length, 2 * directory.list().length);
    });

    it("are taken one at a time, by any process", async () => {
        const plan = scene.writePlan(scene.plan());
        const runs = await Promise.all([1, 2, 3].map(() => runAgent("snapshot", plan)));
        assert.deepEqual(
            runs.map(({ exit }) => exit),
            [0, 0, 0],
        );
        assert.equal(directory.list().length, 3);
        assert.ok(runs.some(({ output }) => output.includes("another snapshot is being taken; waiting")));
    });

    describe("in an S3-compatible store", () => {
        const key = randomBytes(32).toString("base64");
        let server: S3Server;
        let secrets: string;
        const s3 = (change: Partial<S3Plan> = {}): S3Plan => ({
            endpoint: server.endpoint,
            region: "us-east-1",
            bucket: server.bucket,
            prefix: "clusters/c",
            secrets,
            isEncrypted: true,
            ...change,
        });
        const fetched = async (name: string, plan = s3()) => {
            const target = join(scene.folder, "fetched");
            rmSync(target, { force: true });
            await new SnapshotStore(plan, "c").fetch(name, target);
            return readFileSync(target);
        };

        before(async () => {
            server = new S3Server();
            await server.start();
            secrets = scene.writeSecrets("secrets", { ...server.secrets, "encryption-key": key });
        });
        after(() => server.remove());

        for (const isEncrypted of [true, false]) {
            it(`come back unchanged, ${isEncrypted ? "encrypted" : "plain"} in the store`, async () => {
                const { last, object, copyFailure } = await scene.snapshots({ s3: s3({ isEncrypted }) }).take("timer");
                assert.equal(copyFailure, undefined);
                const path = `clusters/c/${last!.name}.db${isEncrypted ? ".enc" : ""}`;
                assert.equal(object, `s3://backups/${path}`);
                const plain = readFileSync(directory.file(last!.name));
                assert.equal(readFileSync(server.file(path)).equals(plain), !isEncrypted);
                assert.ok((await fetched(last!.name)).equals(plain));
            });
        }

        it("cannot be read with another key, or as another snapshot", async () => {
            const snapshots = scene.snapshots({ s3: s3() });
            const [one, two] = [(await snapshots.take("timer")).last!, (await snapshots.take("timer")).last!];
            const wrong = { ...server.secrets, "encryption-key": randomBytes(32).toString("base64") };
            const other = s3({ secrets: scene.writeSecrets("other", wrong) });
            await assert.rejects(fetched(one.name, other), /was not encrypted with the only known key/);
            const keys = { ...server.secrets, "encryption-key": `${wrong["encryption-key"]}\n${key}\n` };
            await fetched(one.name, s3({ secrets: scene.writeSecrets("rotated", keys) }));
            const file = ({ name }: typeof one) => server.file(`clusters/c/${name}.db.enc`);
            writeFileSync(file(one), readFileSync(file(two)));
            await assert.rejects(fetched(one.name), /or is another snapshot that was renamed/);
        });

        it("are rejected if modified in the store, wherever the change is", async () => {
            for (const isEncrypted of [true, false]) {
                const { last } = await scene.snapshots({ s3: s3({ isEncrypted }) }).take("timer");
                const file = server.file(`clusters/c/${last!.name}.db${isEncrypted ? ".enc" : ""}`);
                const good = readFileSync(file);
                for (const at of [0, 20, 45, Math.floor(good.length / 2), good.length - 1]) {
                    const bad = Buffer.from(good);
                    bad[at]! ^= 1;
                    writeFileSync(file, bad);
                    await assert.rejects(fetched(last!.name), /not encrypted|is damaged|must have SHA-256/, `at ${at}`);
                }
                writeFileSync(file, good.subarray(0, good.length - 1000));
                await assert.rejects(fetched(last!.name), /is damaged|must have SHA-256/);
            }
        });

        it("are kept by number across every page of the listing, leaving those of other clusters", async () => {
            const snapshots = scene.snapshots({ s3: s3({ prefix: "kept" }), retention: { keep: 2 } });
            await scene.snapshots({ s3: s3({ prefix: "kept" }) }).take("timer");
            const other = server.file("kept/c-2-20200101T000000.000Z.json");
            writeFileSync(other, "{}");
            for (let count = 0; count < 2; count++) await snapshots.take("timer");
            assert.equal((await new SnapshotStore(s3({ prefix: "kept" }), "c").list()).length, 2);
            assert.ok(existsSync(other));
        });

        it("report why there is no copy, and are uploaded later", async () => {
            const snapshots = scene.snapshots({ s3: s3() });
            await server.stop();
            const failed = await snapshots.take("timer");
            assert.match(failed.copyFailure!.message, /^GET http.*backups: .*ECONNREFUSED/);
            assert.deepEqual([failed.isVerified, failed.object], [true, undefined]);
            await server.start();
            const { object, copyFailure } = await snapshots.copy(failed);
            assert.match(object!, /^s3:\/\/backups/);
            assert.equal(copyFailure, undefined);
        });

        it("report the store's own error message", async () => {
            const refused = async (plan: S3Plan) =>
                (await scene.snapshots({ s3: plan }).take("timer")).copyFailure!.message;
            const wrong = { ...server.secrets, "secret-access-key": "wrong", "encryption-key": key };
            assert.match(
                await refused(s3({ secrets: scene.writeSecrets("wrong", wrong) })),
                /403 SignatureDoesNotMatch/,
            );
            assert.match(await refused(s3({ bucket: "no-such-bucket" })), /404 NoSuchBucket/);
        });

        it("are rejected if they come back different", async () => {
            const careless = createServer((request, answer) => {
                request.resume().on("end", () => answer.end(request.method === "GET" ? "something else" : ""));
            }).listen(0, "127.0.0.1");
            await once(careless, "listening");
            try {
                const { port } = careless.address() as { port: number };
                const endpoint = `http://127.0.0.1:${port}`;
                const { copyFailure, object } = await scene.snapshots({ s3: s3({ endpoint }) }).take("timer");
                assert.match(
                    copyFailure!.message,
                    /must have \d+ bytes with SHA-256 \w+, but read back 14 bytes with \w+/,
                );
                assert.equal(object, undefined);
            } finally {
                careless.close();
            }
        });
    });
});

/** Snapshots and their descriptions, next to the lock of whatever takes one. */
function filesOf(directory: string): string[] {
    return readdirSync(directory).filter((name) => name !== "lock");
}
