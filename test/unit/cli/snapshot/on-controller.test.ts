import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SnapshotManifest } from "../../../../agents/etcd/keeper/directory";
import { fetchSnapshot, parseManifests, snapshotsOn } from "../../../../cli/snapshot/on-controller";

const bytes = Buffer.from([0, 255, 1, 254]);
const sha256 = createHash("sha256").update(bytes).digest("hex");
const controller = { name: "c-controller-0", run: async () => `${bytes.toString("base64")}\n` };
const manifest = (change: Partial<SnapshotManifest>) => ({ name: "c-1", sha256, ...change }) as SnapshotManifest;

/** Runs scripts on this machine. */
const here = {
    name: "c-controller-0",
    run: async (script: string, args: readonly string[] = []) =>
        execFileSync("sh", ["-c", script, "x", ...args], { encoding: "utf8", stdio: "pipe" }),
};

describe("snapshots on a controller", () => {
    it("are listed oldest first, regardless of their order there", () => {
        const [old, recent] = ["2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z"].map((time) =>
            JSON.stringify({ name: "c", time, sha256 }),
        );
        const times = parseManifests(`b.json\n${recent}\n\u001ea.json\n${old}\n\u001e`).manifests.map(
            ({ time }) => time,
        );
        assert.deepEqual(times, ["2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z"]);
        assert.deepEqual(parseManifests(""), { manifests: [], damaged: [] });
    });

    it("are listed without those whose description is damaged, which are named", async () => {
        const whole = { name: "c-1", time: "2026-11-20T10:00:00Z", sha256 };
        const texts = [JSON.stringify(whole), "", '{"name":"c-2"', '{"name":"c-3"}', "null", '{"time":"soon"}'];
        const run = async () => texts.map((text, index) => `${index}.json\n${text}\u001e`).join("");
        const said: string[] = [];
        const found = await snapshotsOn({ ...controller, run }, "/snapshots", (line) => said.push(line));
        assert.deepEqual(found, [whole]);
        assert.deepEqual(said, [
            "c-controller-0: left out snapshots whose description is damaged: 1.json, 2.json, 3.json, 4.json, 5.json",
        ]);
    });

    it("are copied completely or not at all", async () => {
        assert.deepEqual(await fetchSnapshot(controller, "/snapshots", manifest({})), bytes);
        await assert.rejects(
            fetchSnapshot(controller, "/snapshots", manifest({ sha256: "0" })),
            /c-1.db of c-controller-0 has the wrong SHA-256 \(expected 0, got /,
        );
    });

    it("are copied in parts, because the output of a command is limited", async () => {
        const folder = mkdtempSync(join(tmpdir(), "tradewind-snapshot-"));
        try {
            for (const size of [0, 9, 10, 11, 25, 30]) {
                const contents = randomBytes(size);
                writeFileSync(join(folder, "c-1.db"), contents);
                const of = manifest({ sha256: createHash("sha256").update(contents).digest("hex") });
                assert.deepEqual(await fetchSnapshot(here, folder, of, 10), contents);
            }
            await assert.rejects(fetchSnapshot(here, folder, manifest({ name: "c-2" })), /c-2\.db/);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });
});
