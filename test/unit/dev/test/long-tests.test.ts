import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { nameOf, rowsOf, rowsOfRuns, withRows } from "../../../../dev/test/long-tests";

const root = resolve(__dirname, "../../../..");
const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");

describe("the table of long tests", () => {
    it("has a row for every file with long tests, and no other", () => {
        const files = readdirSync(join(root, "test"), { recursive: true }).map(String);
        const long = files
            .filter((file) => /^(engine|cluster)\/.*\.test\.ts$/.test(file))
            .filter((file) => /\b(itLong|describeLong(If)?)\b/.test(readFileSync(join(root, "test", file), "utf8")))
            .map(nameOf);
        assert.ok(long.length > 30);
        assert.deepEqual(
            rowsOf(contributing).map(({ test }) => test),
            long.sort(),
        );
    });

    it("says for each file when it ran, how long it took and the result", () => {
        const runs = [
            { file: "cluster/a.test.ts", milliseconds: 90_000, isPassed: true },
            { file: "cluster/a.test.ts", milliseconds: 30_000, isPassed: false },
            { file: "engine/b.test.ts", milliseconds: 6_000, isPassed: true },
        ];
        assert.deepEqual(rowsOfRuns(runs, "2026-11-25"), [
            { test: "cluster/a", minutes: "2.0", lastRun: "2026-11-25", result: "1 failed" },
            { test: "engine/b", minutes: "0.1", lastRun: "2026-11-25", result: "passed" },
        ]);
    });

    it("can be read after writing", () => {
        const row = { test: "engine/b", minutes: "0.1", lastRun: "2026-11-25", result: "passed" };
        const text = withRows(contributing, [row]);
        assert.deepEqual(rowsOf(text), [row]);
        assert.equal(withRows(text, rowsOf(contributing)), contributing);
    });
});
