import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readObservation, writeObservation } from "../../../../../cli/status/collect/api";

describe("the last known state of a cluster", () => {
    let root: string;
    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-seen-"));
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it("is stored, readable by its owner only", () => {
        const path = join(root, ".seen/a.json");
        const seen = { at: "2026-11-21T06:00:00.000Z", controllers: [{ name: "c-0", address: "10.0.0.11" }] };
        writeObservation(path, seen);
        assert.deepEqual(readObservation(path), seen);
        assert.equal(statSync(path).mode & 0o777, 0o600);
    });

    it("is empty if missing or truncated, and works without a writable folder", () => {
        const path = join(root, "half.json");
        writeFileSync(path, '{"at": "2026');
        assert.equal(readObservation(path), undefined);
        assert.equal(readObservation(join(root, "none.json")), undefined);
        writeObservation(join(path, "seen.json"), { at: "", controllers: [] });
    });
});
