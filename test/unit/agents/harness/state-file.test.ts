import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal } from "../../../../agents/boot/bootstrap/journal";
import { BootstrapProgress, parseStage } from "../../../../agents/boot/bootstrap/progress";
import { activeCopies } from "../../../../agents/checkpointer/static-pods";
import { readStaticPod } from "../../../../agents/etcd/certificates/static-pod";
import { SnapshotDirectory } from "../../../../agents/etcd/keeper/directory";
import { restore } from "../../../../agents/etcd/keeper/restore/restore";
import { hasShell } from "../../../../agents/etcd/member/process";
import { readManifest } from "../../../../agents/etcd/update/manifest";
import { JournalFile } from "../../../../agents/etcd/update/run";
import { jsonWith, readState } from "../../../../agents/harness/state-file";
import { KubeletChange } from "../../../../agents/nodes/node-agent/changes";
import { CniPlugins, renderCniPluginsEnv } from "../../../../agents/nodes/node-agent/cni-plugins/plugins";
import { Kubelets, renderKubeletEnv } from "../../../../agents/nodes/node-agent/kubelet/kubelets";
import { Host } from "../../../../agents/nodes/node-agent/reboot/host";
import { damages } from "../../damages";

const kubelet = { version: "v1.36.3", sha256: "a".repeat(64), urls: ["https://x.test/k"], settings: "s" };
const plugins = { sha256: "b".repeat(64), urls: ["https://x.test/p"] };
const etcd = { metadata: { name: "etcd" }, spec: { containers: [{ image: "i", command: ["etcd"] }] } };
const step = { time: "2026-11-21T05:00:00Z", step: "begin", event: "done" };
const name = "c-20261121T053834.123Z";
const snapshot = { name, cluster: "c", time: "2026-11-21T05:38:34.123Z", sha256: "x", size: 1 };
const copy = {
    metadata: {
        annotations: { "tradewind.dev/checkpoint-of": "kube-system/a", "tradewind.dev/checkpoint-generation": "g" },
    },
};

/** A file of an agent: what it contains when it is whole, what is read from it then, and what if it is damaged. */
interface Reader {
    readonly file: string;
    readonly text: string;
    /** Other files that must exist. */
    readonly others?: Readonly<Record<string, string>>;
    readonly read: (directory: string) => unknown;
    readonly whole: unknown;
    readonly damaged: unknown;
}

const inKubelets = (directory: string) =>
    new Kubelets({ kubelets: directory, state: directory }, { id: "s", configuration: "{}", flags: [] });

const readers: Readonly<Record<string, Reader>> = {
    "the node-agent's journal of a change": {
        file: "kubelet.json",
        text: JSON.stringify({ phase: "upgrading", from: kubelet, to: kubelet, isSwitched: true }),
        read: (directory) => new KubeletChange(join(directory, "kubelet.json"), {} as never, () => undefined).isBegun,
        whole: true,
        damaged: false,
    },
    "the journal of an update of etcd": {
        file: "journal.json",
        text: JSON.stringify({ phase: "reverted", id: "1", reason: "r" }),
        read: (directory) => new JournalFile(directory).read().phase,
        whole: "reverted",
        damaged: "idle",
    },
    "the bootstrap's journal": {
        file: "journal.json",
        text: JSON.stringify({ steps: { "wait-for-api": { startedAt: step.time, starts: 1 } } }),
        read: (directory) => new Journal(directory).wasStarted("wait-for-api"),
        whole: true,
        damaged: false,
    },
    "the bootstrap's log of steps": {
        file: "stages.jsonl",
        text: `${JSON.stringify(step)}\n`,
        read: (directory) => {
            const progress = new BootstrapProgress(0);
            for (const line of readFileSync(join(directory, "stages.jsonl"), "utf8").split("\n")) {
                progress.take(parseStage(line));
            }
            return progress.describe();
        },
        whole: ", nothing was logged after step begin",
        damaged: "",
    },
    "the metadata of a snapshot": {
        file: `${snapshot.name}.json`,
        text: JSON.stringify(snapshot),
        others: { [`${snapshot.name}.db`]: "1" },
        read: (directory) => new SnapshotDirectory(directory, "c").list().length,
        whole: 1,
        damaged: 0,
    },
    "what the kubelet runs next": {
        file: "kubelet.env",
        text: renderKubeletEnv(kubelet),
        others: { "running.env": renderKubeletEnv({ ...kubelet, version: "v1.36.2" }) },
        read: (directory) => inKubelets(directory).selected().version,
        whole: "v1.36.3",
        damaged: "v1.36.2",
    },
    "what the kubelet ran last": {
        file: "running.env",
        text: renderKubeletEnv(kubelet),
        read: (directory) => inKubelets(directory).running()?.version,
        whole: "v1.36.3",
        damaged: undefined,
    },
    "the record of CNI plugins": {
        file: "plugins.env",
        text: renderCniPluginsEnv(plugins),
        read: (directory) => new CniPlugins(directory).installed(),
        whole: plugins,
        damaged: undefined,
    },
    "the request for a reboot": {
        file: "reboot-requested",
        text: "b0\n",
        others: { boot: "b0\n" },
        read: (directory) => new Host(directory).isRebootRequested(),
        whole: true,
        damaged: false,
    },
    "a copy of a pod": {
        file: "checkpoint-kube-system.a.json",
        text: JSON.stringify(copy),
        read: (directory) => [...activeCopies(directory)].length,
        whole: 1,
        damaged: 0,
    },
    "the static pod of etcd, before it is stopped": {
        file: "etcd.json",
        text: JSON.stringify(etcd),
        read: (directory) => hasShell(join(directory, "etcd.json")),
        whole: false,
        // Its process may still run, so it is waited for.
        damaged: true,
    },
};

describe("a state file that a power cut has damaged", () => {
    let directory: string;

    beforeEach(() => {
        directory = mkdtempSync(join(tmpdir(), "tradewind-state-"));
    });
    afterEach(() => rmSync(directory, { recursive: true }));

    for (const [what, { file, text, others = {}, read, whole, damaged }] of Object.entries(readers)) {
        for (const [how, damage] of Object.entries(damages)) {
            // Nothing is wrong with a file that does not exist yet, and each reader has tests for that.
            if (how === "missing") continue;

            it(`does not stop its agent: ${what}, ${how}`, () => {
                for (const [name, content] of Object.entries({ ...others, [file]: text })) {
                    writeFileSync(join(directory, name), content);
                }
                assert.deepEqual(read(directory), whole);
                writeFileSync(join(directory, file), text);
                damage(join(directory, file));
                assert.deepEqual(read(directory), damaged);
            });
        }
    }

    it("counts as missing, which is logged once until it is whole", () => {
        const path = join(directory, "journal.json");
        const log: string[] = [];
        const phase = () => readState(path, jsonWith<{ phase: string }>("phase"), (line) => log.push(line))?.phase;
        assert.equal(phase(), undefined);
        assert.deepEqual(log, []);
        writeFileSync(path, "");
        assert.equal(phase(), undefined);
        assert.equal(phase(), undefined);
        assert.equal(log.length, 1);
        assert.match(log[0]!, /journal\.json is damaged and counts as missing: /);
        writeFileSync(path, `{"phase":"idle"}`);
        assert.equal(phase(), "idle");
        for (const other of ["null", "[]", "1", "{}", `{"phase":1}`]) {
            writeFileSync(path, other);
            assert.equal(phase(), undefined);
        }
        assert.equal(log.length, 2);
    });

    it("is named by an agent that can't do without it", () => {
        const path = join(directory, "etcd.json");
        const place = { directories: { staticPods: directory } };
        assert.throws(() => readManifest(place), /etcd\.json must be etcd's static pod \(got none\)/);
        writeFileSync(path, "");
        assert.throws(() => readManifest(place), /etcd\.json must be etcd's static pod \(got a damaged file\)/);
        assert.throws(() => readStaticPod(path), /etcd\.json must be etcd's static pod \(got none or a damaged file\)/);
    });

    describe("of a restore", () => {
        const store = Buffer.alloc(512, "store");
        const content = Buffer.concat([store, createHash("sha256").update(store).digest()]);
        const run = async (more: object = {}) => {
            const logged: string[] = [];
            const etcdutl = join(directory, "etcdutl");
            writeFileSync(etcdutl, `#!/bin/sh\necho '{"revision": 1, "totalKey": 2}'\n`, { mode: 0o755 });
            writeFileSync(join(directory, "source.db"), content);
            const [data, state, staticPods] = ["data", "state", "manifests"].map((name) => join(directory, name));
            const member = { name: "c-0", peerUrl: "https://127.0.0.1:1", healthUrl: "http://127.0.0.1:1" };
            const plan = {
                ...{ id: "1", source: { file: join(directory, "source.db") }, member, etcdutl },
                initialCluster: "c-0=https://127.0.0.1:1",
                directories: { data: data!, state: state!, staticPods: staticPods! },
                timeouts: { "stop-member": 1 },
                ...more,
            };
            const failure = await restore(plan, ({ step: name, event, message }) =>
                logged.push(`${name} ${event} ${message}`),
            ).catch((error: Error) => error.message);
            return { logged, failure };
        };
        const lay = (name: string, text: string | Buffer) => {
            for (const each of ["state", "manifests"]) mkdirSync(join(directory, each), { recursive: true });
            writeFileSync(join(directory, name), text);
        };

        it("is fetched again if it is the snapshot", async () => {
            lay("state/1.db", content.subarray(0, 300));
            const { logged } = await run();
            assert.ok(
                logged.some((line) => line.startsWith("fetch-snapshot retry the copy of an earlier run is damaged")),
                logged.join("\n"),
            );
            assert.ok(logged.includes("fetch-snapshot done 544 bytes: revision 1, 2 keys"), logged.join("\n"));
        });

        it("is refused if it is the static pod that would be installed again", async () => {
            lay("manifests/etcd.json", "");
            const { failure } = await run();
            assert.match(String(failure), /staticPod is required because .*etcd\.json is damaged/);
            assert.ok(existsSync(join(directory, "manifests/etcd.json")), "nothing was changed");
        });
    });
});
