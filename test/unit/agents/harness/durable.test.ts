import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeIfOther } from "../../../../agents/harness/durable";

describe("a file that is written unless it has that content", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-durable-"));
    after(() => rmSync(folder, { recursive: true }));

    it("stays untouched while its content is the same", () => {
        const path = join(folder, "pod.json");
        assert(writeIfOther(path, "one"));
        const { ino } = statSync(path);
        assert(!writeIfOther(path, "one"));
        assert.equal(statSync(path).ino, ino);
        assert(writeIfOther(path, "two", { scratch: folder, mode: 0o644 }));
        assert.equal(readFileSync(path, "utf8"), "two");
        assert.equal(statSync(path).mode & 0o777, 0o644);
    });
});
