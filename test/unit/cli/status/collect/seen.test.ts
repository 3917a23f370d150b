import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSeen, writeSeen } from "../../../../../cli/status/collect/api";

describe("the last known state of a cluster", () => {
    let root: string;
    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-seen-"));
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it("is stored, readable by its owner only", () => {
        const path = join(root, ".seen/a.json");
        const seen = { at: "2026-11-21T06:00:00.000Z", controllers: [{ name: "c-0", address: "10.0.0.11" }] };
        writeSeen(path, seen);
        assert.deepEqual(readSeen(path), seen);
        assert.equal(statSync(path).mode & 0o777, 0o600);
    });

    it("is empty if missing or truncated, and works without a writable folder", () => {
        const path = join(root, "half.json");
        writeFileSync(path, '{"at": "2026');
        assert.equal(readSeen(path), undefined);
        assert.equal(readSeen(join(root, "none.json")), undefined);
        writeSeen(join(path, "seen.json"), { at: "", controllers: [] });
    });
});
