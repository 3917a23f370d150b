import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Draft } from "../../../../agents/checkpointer/draft";
import { activeCopies, startCopy } from "../../../../agents/checkpointer/static-pods";
import { Store } from "../../../../agents/checkpointer/store";
import { checkpoints } from "../../../../cluster/machines/controller";
import { paths } from "../../../../cluster/paths";
import { diffable } from "../../../../ignition";
import { scratch } from "../../agents/checkpointer/example";
import { assertShell } from "../../components/in-cluster/shell";
import { damages } from "../../damages";

const texts = diffable(checkpoints());
const script = texts[`${paths.bin}/start-checkpoints`]!.replace(/^mode.*\n/, "");

/** What the checkpointer saves of a pod, with a volume. */
function draftOf(name: string, fields: Partial<Draft> = {}): Draft {
    const [parent, generation] = [`kube-system/${name}`, fields.generation ?? "g1"];
    const key = { path: "tls.key", mode: 0o400, uid: process.getuid!(), gid: process.getgid!() };
    const annotations = {
        "tradewind.dev/checkpoint-of": parent,
        "tradewind.dev/checkpoint-generation": generation,
    };
    return {
        ...{ parent, generation, pod: `${name}-abcde`, uid: "uid-1" },
        ...{ overlaps: true, needsApi: false, startsAtBoot: true, endpoints: [] },
        files: { credentials: [{ ...key, content: Buffer.from("the key") }] },
        manifest: (directory) => ({ metadata: { annotations }, spec: { directory } }),
        ...fields,
    };
}

describe("a controller that boots", () => {
    let root: string;
    const lay = (path: string, text: string) => {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
    };
    const boot = () => execFileSync("sh", ["-c", script.replaceAll(paths.kubernetes, root)]);

    beforeEach(() => {
        root = scratch();
        mkdirSync(join(root, "manifests"));
        mkdirSync(join(root, "checkpoints"));
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it("has a script that every shell can read", () => assertShell(script));

    it("starts its copies before the kubelet", () => {
        assert.match(texts["checkpoints.service"]!, /^Before=kubelet\.service$/m);
    });

    const store = () => new Store(join(root, "checkpoints"));
    const save = (name: string, fields: Partial<Draft> = {}) => store().save(draftOf(name, fields), new Date());
    const installed = () => [...activeCopies(join(root, "manifests"))];

    it("starts the current checkpoint of each pod that may run next to its copy, where the checkpointer expects it", () => {
        save("a", { generation: "g0" });
        save("a");
        save("b", { startsAtBoot: false });
        boot();
        assert.deepEqual(installed(), [["kube-system/a", "g1"]]);
        const booted = readFileSync(join(root, "manifests/checkpoint-kube-system.a.json"), "utf8");
        startCopy(join(root, "manifests"), "kube-system/a", store().manifest("kube-system/a"));
        assert.deepEqual(readdirSync(join(root, "manifests")), ["checkpoint-kube-system.a.json"]);
        assert.equal(booted, store().manifest("kube-system/a"));
    });

    it("starts none of an older checkpoint if the current one must not start", () => {
        save("a", { generation: "g0" });
        save("a", { startsAtBoot: false });
        boot();
        assert.deepEqual(installed(), []);
    });

    const current = () => join(root, "checkpoints/kube-system/a/g1");
    for (const file of ["checkpoint.json", "pod.json", "sha256sums", "starts-at-boot", "volumes/credentials/tls.key"]) {
        for (const [what, damage] of Object.entries(damages)) {
            // An empty file can't become any shorter.
            if (file === "starts-at-boot" && ["emptied", "cut in half"].includes(what)) continue;

            it(`starts the newest whole checkpoint if the current one has ${file} ${what}, and nothing if none is whole`, () => {
                for (const generation of ["g0", "g9", "g1"]) save("a", { generation });
                for (const [name, second] of [
                    ["g0", 1],
                    ["g9", 2],
                    ["g1", 3],
                ] as const) {
                    utimesSync(join(current(), "..", name), second, second);
                }
                damage(join(current(), file));
                boot();
                assert.deepEqual(installed(), [["kube-system/a", "g9"]]);
                rmSync(join(root, "manifests/checkpoint-kube-system.a.json"));
                for (const other of ["g0", "g9"]) rmSync(join(current(), "..", other), { recursive: true });
                boot();
                assert.deepEqual(installed(), []);
            });
        }
    }

    it("starts the newest whole checkpoint if the link to the current one is missing", () => {
        save("a");
        rmSync(join(current(), "../current"));
        boot();
        assert.deepEqual(installed(), [["kube-system/a", "g1"]]);
    });

    it("starts nothing where there is no checkpoint", () => {
        boot();
        assert.deepEqual(readdirSync(join(root, "manifests")), []);
    });

    it("takes away a copy that can't be read, since the kubelet runs nothing from it", () => {
        lay("manifests/checkpoint-kube-system.a.json", "{");
        lay("manifests/etcd.json", "{");
        assert.deepEqual([...activeCopies(join(root, "manifests"))], []);
        assert.deepEqual(readdirSync(join(root, "manifests")), ["etcd.json"]);
    });
});
