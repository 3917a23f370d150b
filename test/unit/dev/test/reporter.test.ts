import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../../../..");

/** A group whose hook is named after its first test, which is long. */
const tests = `
const { itLong } = require(${JSON.stringify(join(root, "test/takes-long"))});
describe("a group", () => {
    before(() => {});
    itLong("takes long", () => {});
    it("is quick", () => {});
});
`;

describe("the summary of a run", () => {
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-reporter-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const summaryOf = (longTests: string) => {
        const [file, summary] = [join(folder, "a.test.cjs"), join(folder, "summary.json")];
        writeFileSync(file, tests);
        const env = { ...process.env, TRADEWIND_LONG_TESTS: longTests, TRADEWIND_TEST_SUMMARY: summary };
        const mocha = join(root, "node_modules/mocha/bin/mocha.js");
        const args = [mocha, "--require", "tsx/cjs", "--reporter", join(root, "dev/test/reporter.ts"), file];
        execFileSync(process.execPath, args, { cwd: root, env, stdio: "ignore" });
        return JSON.parse(readFileSync(summary, "utf8"));
    };

    it("has the long tests that ran, and the hooks that are named after them", () => {
        const { passed, skipped, long } = summaryOf("1");
        assert.deepEqual([passed, skipped, long.length], [2, 0, 2]);
    });

    it("has no long tests if none ran, although a hook is named after one", () => {
        const { passed, skipped, long } = summaryOf("");
        assert.deepEqual([passed, skipped, long], [1, 1, []]);
    });
});
