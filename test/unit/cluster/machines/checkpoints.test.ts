import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { activeCopies, startCopy } from "../../../../agents/checkpointer/static-pods";
import { checkpoints } from "../../../../cluster/machines/controller";
import { paths } from "../../../../cluster/paths";
import { diffable } from "../../../../ignition";
import { assertShell } from "../../components/in-cluster/shell";

const texts = diffable(checkpoints());
const script = texts[`${paths.bin}/start-checkpoints`]!.replace(/^mode.*\n/, "");

describe("a controller that boots", () => {
    let root: string;
    const lay = (path: string, text: string) => {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
    };
    const boot = () => execFileSync("sh", ["-c", script.replaceAll(paths.kubernetes, root)]);
    const copy = (parent: string) =>
        JSON.stringify({
            metadata: {
                annotations: { "tradewind.dev/checkpoint-of": parent, "tradewind.dev/checkpoint-generation": "g1" },
            },
        });

    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-boot-"));
        mkdirSync(join(root, "manifests"));
        mkdirSync(join(root, "checkpoints"));
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it("has a script that every shell can read", () => assertShell(script));

    it("starts its copies before the kubelet", () => {
        assert.match(texts["checkpoints.service"]!, /^Before=kubelet\.service$/m);
    });

    it("start the current checkpoint of each pod that may run next to its copy, where the checkpointer expects it", () => {
        for (const [name, generation] of [
            ["a", "g1"],
            ["a", "g0"],
            ["b", "g1"],
        ]) {
            lay(`checkpoints/kube-system/${name}/${generation}/pod.json`, copy(`kube-system/${name}`));
        }
        lay("checkpoints/kube-system/a/g1/starts-at-boot", "");
        for (const name of ["a", "b"]) symlinkSync("g1", join(root, `checkpoints/kube-system/${name}/current`));
        boot();
        assert.deepEqual(readdirSync(join(root, "manifests")), ["checkpoint-kube-system.a.json"]);
        assert.deepEqual([...activeCopies(join(root, "manifests"))], [["kube-system/a", "g1"]]);
        const booted = readFileSync(join(root, "manifests/checkpoint-kube-system.a.json"), "utf8");
        startCopy(join(root, "manifests"), "kube-system/a", copy("kube-system/a"));
        assert.deepEqual(readdirSync(join(root, "manifests")), ["checkpoint-kube-system.a.json"]);
        assert.equal(booted, copy("kube-system/a"));
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
