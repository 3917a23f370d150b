import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { underLock } from "../../../cache/file-lock";

describe("a lock held during a function", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-lock-"));
    const lock = join(folder, "lock");
    const isFree = () => spawnSync("flock", ["--nonblock", lock, "true"]).status === 0;
    after(() => rmSync(folder, { recursive: true }));

    it("excludes others until it returns", () => {
        assert.equal(underLock(lock, isFree), false);
        assert.equal(isFree(), true);
    });

    it("is released after an error", () => {
        assert.throws(() =>
            underLock(lock, () => {
                throw new Error("no");
            }),
        );
        assert.equal(isFree(), true);
    });
});
