import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSeen, writeSeen } from "../../../../../cli/status/collect/api";

describe("what was last seen of a cluster", () => {
    let root: string;
    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-seen-"));
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it("is remembered, for its owner's eyes only", () => {
        const path = join(root, ".seen/a.json");
        const seen = { at: "2026-11-21T06:00:00.000Z", controllers: [{ name: "c-0", address: "10.0.0.11" }] };
        writeSeen(path, seen);
        assert.deepEqual(readSeen(path), seen);
        assert.equal(statSync(path).mode & 0o777, 0o600);
    });

    it("is nothing if it is not there, or not whole, and needs no place to write", () => {
        const path = join(root, "half.json");
        writeFileSync(path, '{"at": "2026');
        assert.equal(readSeen(path), undefined);
        assert.equal(readSeen(join(root, "none.json")), undefined);
        writeSeen(join(path, "seen.json"), { at: "", controllers: [] });
    });
});
