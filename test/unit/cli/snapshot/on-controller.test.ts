import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { SnapshotManifest } from "../../../../agents/etcd/keeper/directory";
import { fetchSnapshot, parseManifests } from "../../../../cli/snapshot/command";

const bytes = Buffer.from([0, 255, 1, 254]);
const sha256 = createHash("sha256").update(bytes).digest("hex");
const controller = { name: "c-controller-0", run: async () => `${bytes.toString("base64")}\n` };
const manifest = (change: Partial<SnapshotManifest>) => ({ name: "c-1", sha256, ...change }) as SnapshotManifest;

describe("snapshots on a controller", () => {
    it("are listed oldest first, regardless of their order there", () => {
        const [old, recent] = ["2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z"].map((time) => JSON.stringify({ time }));
        const times = parseManifests(`${recent}\n\u001e${old}\n\u001e`).map(({ time }) => time);
        assert.deepEqual(times, ["2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z"]);
        assert.deepEqual(parseManifests(""), []);
    });

    it("are copied completely or not at all", async () => {
        assert.deepEqual(await fetchSnapshot(controller, "/snapshots", manifest({})), bytes);
        await assert.rejects(
            fetchSnapshot(controller, "/snapshots", manifest({ sha256: "0" })),
            /c-1.db of c-controller-0 has the wrong SHA-256 \(expected 0, got /,
        );
    });
});
