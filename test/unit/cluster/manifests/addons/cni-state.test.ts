import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repairCniState } from "../../../../../cluster/manifests/addons/cni-state";

describe("the repair of CNI plugins' state", () => {
    let folder: string;

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-cni-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** What is left of files with these contents. */
    function repair(files: Readonly<Record<string, string>>): string[] {
        for (const [path, text] of Object.entries(files)) {
            mkdirSync(join(folder, path, ".."), { recursive: true });
            writeFileSync(join(folder, path), text);
        }
        execFileSync("sh", ["-euc", repairCniState.replaceAll("/var/lib/cni", folder)]);
        return (readdirSync(folder, { recursive: true }) as string[]).filter((path) => path in files).sort();
    }

    it("removes files that a power cut emptied, of every plugin", () => {
        const emptied = ["flannel/9dc4485b", "results/cbr0-9dc4485b-eth0", "networks/cbr0/10.2.1.5"];
        assert.deepEqual(repair(Object.fromEntries(emptied.map((path) => [path, ""]))), []);
    });

    it("keeps all others, and the lock of the plugin for addresses, which is always empty", () => {
        const kept = { "flannel/5a": "{}", "networks/cbr0/10.2.1.6": "5a", "networks/cbr0/lock": "" };
        assert.deepEqual(repair({ ...kept, "flannel/6b": "" }), Object.keys(kept).sort());
    });

    it("succeeds without any state", () => {
        assert.deepEqual(repair({}), []);
    });
});
