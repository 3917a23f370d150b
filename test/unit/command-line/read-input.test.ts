import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { UsageError } from "../../../command-line/parse";
import { readInput } from "../../../command-line/read-input";

const program = resolve(__dirname, "../../../dev/tradewind.cjs");

describe("a file that a user named for reading", function () {
    this.timeout(30_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-input-"));
    const missing = join(folder, "missing");
    const keys = join(folder, "keys");
    before(() => writeFileSync(keys, Buffer.alloc(32).toString("base64")));
    after(() => rmSync(folder, { recursive: true }));

    it("is read, or named in the error with its option", () => {
        assert.deepEqual(readInput("--events", "/dev/null"), Buffer.alloc(0));
        const message = `--events must be a readable file (got ${folder}): EISDIR: illegal operation on a directory, read`;
        assert.throws(() => readInput("--events", folder), new UsageError(message));
    });

    for (const [args, what] of [
        [["snapshot", "--snapshot-keys", keys, "--to", join(folder, "to"), "--decrypt", missing], "the snapshot"],
        [
            ["snapshot", "--decrypt", "/dev/null", "--to", join(folder, "to"), "--snapshot-keys", missing],
            "--snapshot-keys",
        ],
        [["preview", "--events", missing], "--events"],
        [["preview", "--post", missing], "--post"],
        [["updates", missing], "FILE"],
        [["verify-cloud", "--yes", "--cloud", "digitalocean", "--config", missing], "--config"],
    ] as const) {
        it(`is refused if it does not exist: ${args[0]}, ${what}`, () => {
            const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
            assert.equal(status, 2, stderr);
            assert.ok(stderr.startsWith(`error: ${what} must be a readable file (got ${missing}): ENOENT`), stderr);
        });
    }
});
