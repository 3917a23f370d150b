import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchPlanSchema } from "../../../../agents/etcd/keeper/restore/fetch";
import { planProblems } from "../../../../agents/harness/plan";
import type { Controller } from "../../../../cli/reach/controller";
import { bringSnapshot, requireWhole } from "../../../../cli/recover/bring";
import { plain, recover } from "../../../../cli/recover/recover";
import type { StoreSecrets } from "../../../../cluster/etcd-snapshots";
import { possibleControllers } from "../../../../cluster/model";
import type { ClusterOptions } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import { certificates } from "../../agents/boot/bootstrap/certificates";
import { componentPodOf, fakeCredentials } from "../../components/in-cluster/fixture";
import { assertShell } from "../../components/in-cluster/shell";
import { golden } from "../../golden";

describe("a plain recovery", () => {
    const cluster = resolveCluster({
        name: "c",
        components: {
            kubeApiserver: { "no-such-flag": "1" },
            kubeScheduler: { v: "9" },
            etcd: { "log-level": "debug" },
        },
    });
    const commandOf = (of: typeof cluster) => JSON.stringify(componentPodOf(of, "kube-apiserver").spec.containers);

    it("runs without the stack's extra arguments", () => {
        assert.match(commandOf(cluster), /--no-such-flag/);
        assert.doesNotMatch(commandOf(plain(cluster)), /--no-such-flag/);
    });

    it("keeps those of etcd and the kubelet", () => {
        assert.deepEqual(plain(cluster).extraArgs.etcd, { "log-level": "debug" });
    });
});

describe("a recovery of several controllers from a snapshot", () => {
    const plainOptions = { name: "c", controllers: { count: 3 } } as const;
    const [first = "", second = "", third = ""] = resolveCluster(plainOptions).controllers.names;
    let done: string[];
    let said: string[];

    /** Answers queries for facts, records other commands, and fails when the recovery begins. */
    const machine = (
        name: string,
        answers: { hasData?: boolean; isOff?: boolean; hasJoined?: boolean; isDamaged?: boolean } = {},
    ): Controller => ({
        name,
        run: async (script) => {
            if (answers.isOff) throw new Error(`${name} is off`);
            if (script.includes("is data")) {
                const data = answers.hasData ? "yes" : "no";
                const pem = certificates().server.cert.replace(/-----.*-----|\s/g, "");
                const joined = answers.hasJoined ? `certificate ${pem}\nkey yes\n` : "key no\n";
                return `now ${Date.now() / 1000}\n${joined}data ${data}\nwhole ${data}\npod ${data}\nready ${data}\nover yes\nsnapshot c-20261120T100000.000Z\n`;
            }
            if (script.includes("journalctl")) return "over";
            if (script.includes("sha256sum")) return answers.isDamaged ? "" : "whole\n";
            done.push(script.includes("incoming") ? `${name} begins` : `${name} is reset`);
            if (script.includes("incoming")) throw new Error("far enough");
            return "";
        },
    });
    const run = (
        others: Controller[],
        isResettingOthers: boolean,
        isDiscarding = true,
        {
            on = first,
            of: options = plainOptions as ClusterOptions,
            isServing = false,
            hasData = true,
            isDamaged = false,
        } = {},
    ) => {
        const cluster = resolveCluster(options);
        const machines = possibleControllers(cluster).map((name, index) => [name, `10.0.0.${index + 1}`]);
        return recover({
            ...{
                cluster,
                controller: machine(on, { hasData, hasJoined: on !== first, isDamaged }),
                others,
                from: "snapshot",
                isResettingOthers,
                isDiscarding,
            },
            record: {
                options,
                machines: Object.fromEntries(machines),
                credentials: fakeCredentials(cluster),
            },
            isServing: async () => isServing,
            ...{ isHeld: false, isPlain: false, timeout: 1, say: (line) => said.push(line) },
        });
    };

    beforeEach(() => {
        [done, said] = [[], []];
    });

    it("does not begin while etcd serves with its data, and names the option to discard it", async () => {
        await assert.rejects(run([machine(second), machine(third)], true, false), /or --discard-data to restore/);
        assert.deepEqual(done, []);
    });

    it("does not begin while the API serves: controllers that cannot be reached from here may have a majority", async () => {
        const others = [machine(second, { isOff: true }), machine(third, { isOff: true })];
        await assert.rejects(
            run(others, true, false, { isServing: true, hasData: false }),
            /^Error: the API answers, so etcd serves, .* use --from api, or --discard-data to restore the snapshot anyway$/,
        );
        assert.deepEqual(done, []);
        await assert.rejects(run(others, true, true, { isServing: true }), /far enough/);
    });

    it("does not begin while others have data, and names the option to move it aside", async () => {
        const others = [machine(second, { hasData: true }), machine(third, { hasData: true })];
        await assert.rejects(run(others, false), {
            message:
                "etcd on c-controller-1 and c-controller-2 still has data, which must be moved aside before c-controller-0 is " +
                "restored from a snapshot: --reset-others does that, and these controllers then rejoin",
        });
        assert.deepEqual(done, []);
    });

    it("moves the others' data aside before it begins, if requested", async () => {
        await assert.rejects(run([machine(second, { hasData: true }), machine(third)], true), /far enough/);
        assert.deepEqual(done, ["c-controller-1 is reset", "c-controller-0 begins"]);
    });

    it("changes nothing if the snapshot is damaged", async () => {
        const others = [machine(second, { hasData: true }), machine(third)];
        await assert.rejects(run(others, true, true, { isDamaged: true }), {
            message: /c-20261120T100000\.000Z\.db on c-controller-0 is damaged: use --snapshot with FILE$/,
        });
        assert.deepEqual(done, []);
    });

    it("warns about controllers that do not answer, as they may return with old data", async () => {
        await assert.rejects(run([machine(second, { isOff: true })], false), /far enough/);
        assert.match(
            said.join("\n"),
            /c-controller-1 does not answer: recreate it, or keep it off until you have moved .* away/,
        );
    });

    describe("and candidates", () => {
        const of: ClusterOptions = {
            name: "c",
            controllers: { count: 3, candidates: ["default"] },
            workerPools: [{ name: "default", count: 2 }],
        };
        const [promoted, other] = ["c-default-0", "c-default-1"];

        it("moves the data of promoted ones aside too", async () => {
            const others = [machine(second), machine(promoted, { hasData: true }), machine(other)];
            await assert.rejects(run(others, false, true, { of }), /etcd on c-default-0 still has data/);
            await assert.rejects(run(others, true, true, { of }), /far enough/);
            assert.deepEqual(done, ["c-default-0 is reset", "c-controller-0 begins"]);
        });

        it("can run on a promoted one", async () => {
            await assert.rejects(
                run([machine(first), machine(other)], false, true, { of, on: promoted }),
                /far enough/,
            );
            assert.deepEqual(done, ["c-default-0 begins"]);
        });

        it("warns about those that do not answer, as they may have been controllers", async () => {
            await assert.rejects(run([machine(other, { isOff: true })], false, true, { of }), /far enough/);
            assert.match(said.join("\n"), /c-default-1 does not answer: if it was a controller, recreate it, or keep/);
        });
    });
});

describe("a recovery from a snapshot in a store", () => {
    const key = Buffer.alloc(32, 1).toString("base64");
    const s3 = { endpoint: "https://s3.example.com", bucket: "backups" };
    const record = (options: { name: string }, snapshotSecrets?: StoreSecrets) => {
        const cluster = resolveCluster(options);
        return { cluster, record: { options, machines: {}, credentials: fakeCredentials(cluster), snapshotSecrets } };
    };

    it("is fetched by the controller, with the store's secrets and every key of the state", async () => {
        const files = new Map<string, string>();
        const lines: string[] = [];
        const controller: Controller = {
            name: "c-controller-0",
            run: async (script, [path] = [], input) => {
                if (input !== undefined) files.set(path!, input.toString());
                return script === "sh /opt/tradewind/etcd-restore/fetch" ? "waiting\nc-1: 5 bytes\n" : "";
            },
        };
        const secrets = { accessKeyId: "id", secretAccessKey: "hush", encryptionKeys: [key, key] };
        const known = record({ name: "c", etcdSnapshots: { s3 } } as { name: string }, secrets);
        const wish = { ...known, controller, isStored: true, snapshot: "c-1", say: (line: string) => lines.push(line) };
        assert.deepEqual(await bringSnapshot(wish, []), { file: "/opt/tradewind/etcd-restore/snapshot.db" });
        assert.deepEqual(lines, ["c-controller-0 fetched c-1: 5 bytes from https://s3.example.com/backups"]);
        const file = (name: string) => files.get(`/opt/tradewind/etcd-restore/${name}`)!;
        assert.deepEqual(planProblems(JSON.parse(file("fetch.json")), fetchPlanSchema), []);
        assert.equal(JSON.parse(file("fetch.json")).source.name, "c-1");
        const { secrets: folder } = JSON.parse(file("fetch.json")).source.s3;
        assert.equal(files.get(`${folder}/secret-access-key`), "hush");
        assert.equal(files.get(`${folder}/encryption-key`), `${key}\n${key}`);
        assertShell(file("fetch"));
        golden(__dirname, "etcd-fetch", file("fetch"));
        assert.doesNotMatch(`${file("fetch")}${file("fetch.json")}`, /hush/);
    });

    it("has the keys of earlier snapshots also where later ones are not encrypted", async () => {
        const files = new Map<string, string>();
        const controller: Controller = {
            name: "c-controller-0",
            run: async (_, [path] = [], input) => {
                if (input !== undefined) files.set(path!, input.toString());
                return "c-1: 5 bytes\n";
            },
        };
        const plain = { ...s3, instanceRole: true, isEncrypted: false };
        const known = record({ name: "c", etcdSnapshots: { s3: plain } } as { name: string }, {
            encryptionKeys: [key],
        });
        await bringSnapshot({ ...known, controller, isStored: true, say: () => undefined }, []);
        const plan = JSON.parse(files.get("/opt/tradewind/etcd-restore/fetch.json")!);
        assert.deepEqual(planProblems(plan, fetchPlanSchema), []);
        assert.equal(plan.source.s3.instanceRole, true);
        assert.equal(files.get(`${plan.source.s3.secrets}/encryption-key`), key);
    });

    it("needs a store", async () => {
        const controller: Controller = { name: "c-controller-0", run: async () => "" };
        const wish = { ...record({ name: "c" }), controller, isStored: true, say: () => undefined };
        await assert.rejects(bringSnapshot(wish, []), /--store needs a cluster whose snapshots are copied to a store/);
    });
});

describe("a snapshot on a controller that is restored", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-whole-"));
    after(() => rmSync(folder, { recursive: true }));
    const controller: Controller = {
        name: "c-controller-0",
        run: async (script, args = []) => execFileSync("sh", ["-c", script, "x", ...args], { encoding: "utf8" }),
    };
    const check = (contents: Buffer, others: readonly string[] = []) => {
        const path = join(folder, "c-2.db");
        writeFileSync(path, contents);
        return requireWhole(controller, path, ["c-2", ...others]);
    };
    const store = Buffer.alloc(1024, "data");
    const snapshot = Buffer.concat([store, createHash("sha256").update(store).digest()]);

    it("must match the checksum at its end", async () => {
        await check(snapshot);
        const damaged = Buffer.from(snapshot);
        damaged[500] = 0;
        for (const contents of [damaged, store, snapshot.subarray(0, 600), Buffer.alloc(0)]) {
            await assert.rejects(check(contents, ["c-1", "c-3"]), {
                message: /c-2\.db on c-controller-0 is damaged: use --snapshot with one of c-1, c-3$/,
            });
        }
    });
});
