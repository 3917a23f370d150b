import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trackedChanges } from "../../../../dev/test";
import { changedBetween, modifiedFiles } from "../../../../dev/test/tracked";

describe("tracked files that a test run changes", () => {
    const root = mkdtempSync(join(tmpdir(), "tradewind-tracked-"));
    const write = (name: string, text: string) => writeFileSync(join(root, name), text);
    const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: root });

    before(() => {
        for (const name of ["edited", "deleted", "same", "dirty"]) write(name, "committed");
        git("init", "--quiet");
        git("add", "--all");
        git("commit", "--quiet", "--message", "Add files", "--no-gpg-sign");
        write("dirty", "edited before the run");
    });
    after(() => rmSync(root, { recursive: true }));

    it("are found, also deleted ones, but not new files or edits from before", () => {
        const before = modifiedFiles(root)!;
        assert.deepEqual(changedBetween(before, modifiedFiles(root)!), []);
        write("edited", "by a test");
        write("new", "by a test");
        rmSync(join(root, "deleted"));
        assert.deepEqual(changedBetween(before, modifiedFiles(root)!), ["deleted", "edited"]);
        write("dirty", "by a test");
        assert.deepEqual(changedBetween(before, modifiedFiles(root)!), ["deleted", "dirty", "edited"]);
    });

    it("are unknown outside a checkout", () => {
        assert.equal(modifiedFiles(join(root, "missing")), undefined);
    });

    it("fail the run in CI, where nothing else edits them", () => {
        const before = { a: "1" };
        const after = { a: "2", b: "3" };
        assert.deepEqual(trackedChanges(before, after).failed, ["npm test changed tracked files: a, b"]);
        assert.deepEqual(trackedChanges(before, before), { passed: 1, skipped: 0, failed: [] });
    });
});
