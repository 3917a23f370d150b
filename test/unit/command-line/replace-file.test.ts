import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
    chmodSync,
    chownSync,
    lstatSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    statSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { writePrivate } from "../../../command-line/private-file";
import { replaceFile } from "../../../command-line/replace-file";

const source = JSON.stringify(resolve(__dirname, "../../../command-line/replace-file.ts"));

describe("a file that a user named", () => {
    let folder: string;
    let path: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-replace-"));
        path = join(folder, "file");
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const read = () => readFileSync(path, "utf8");
    const mode = () => statSync(path).mode & 0o777;

    it("keeps its mode, or gets the given one", () => {
        writeFileSync(path, "before");
        chmodSync(path, 0o664);
        replaceFile(path, "after");
        assert.deepEqual([read(), mode(), readdirSync(folder)], ["after", 0o664, ["file"]]);
        writePrivate(path, "secret");
        assert.deepEqual([read(), mode()], ["secret", 0o600]);
    });

    it("keeps its owner if root changes it, unless it becomes private", function () {
        if (process.getuid?.() !== 0) this.skip();
        writeFileSync(path, "before");
        chownSync(path, 1234, 1235);
        const owner = () => [statSync(path).uid, statSync(path).gid];
        replaceFile(path, "after");
        assert.deepEqual([read(), owner()], ["after", [1234, 1235]]);
        writePrivate(path, "secret");
        assert.deepEqual(owner(), [0, 0]);
    });

    it("is not written through a link that someone else put where it is prepared", () => {
        const other = join(folder, "other");
        writeFileSync(other, "theirs");
        symlinkSync("other", `${path}.${process.pid}`);
        writePrivate(path, "secret");
        assert.deepEqual(
            [read(), readFileSync(other, "utf8"), readdirSync(folder)],
            ["secret", "theirs", ["file", "other"]],
        );
    });

    it("stays a symbolic link, and its target changes", () => {
        writeFileSync(path, "before");
        const link = join(folder, "link");
        symlinkSync("file", link);
        replaceFile(link, "after");
        assert.ok(lstatSync(link).isSymbolicLink());
        assert.equal(read(), "after");
    });

    it("is written to, and not replaced, if it is a pipe or standard output", async () => {
        execFileSync("mkfifo", [path]);
        const reader = spawn("cat", [path], { stdio: ["ignore", "pipe", "inherit"] });
        const received = text(reader.stdout);
        replaceFile(path, "through the pipe");
        assert.equal(await received, "through the pipe");
        assert.ok(statSync(path).isFIFO());
        const program = `require("tsx/cjs"); require(${source}).replaceFile("/dev/fd/1", "printed")`;
        const shell = `"$0" -e "$1" | cat`;
        assert.equal(execFileSync("sh", ["-c", shell, process.execPath, program], { encoding: "utf8" }), "printed");
    });

    it("keeps its contents if the disk is full, and leaves nothing behind", () => {
        writeFileSync(path, "before");
        // A file of at most one block of 512 bytes.
        const program = `process.on("SIGXFSZ", () => {}); require("tsx/cjs"); require(${source}).replaceFile(${JSON.stringify(path)}, "x".repeat(4096))`;
        const shell = `ulimit -f 1; exec "$0" -e "$1"`;
        assert.throws(
            () => execFileSync("sh", ["-c", shell, process.execPath, program], { stdio: "pipe" }),
            (error: { stderr: Buffer }) => String(error.stderr).includes(`cannot write ${path}: EFBIG`),
        );
        assert.deepEqual([read(), readdirSync(folder)], ["before", ["file"]]);
    });

    it("must not be a folder, and needs one that exists", () => {
        mkdirSync(path);
        assert.throws(() => replaceFile(path, "text"), /cannot write .*\/file: EISDIR/);
        assert.throws(() => replaceFile(join(folder, "none/file"), "text"), /cannot write .*\/none\/file: ENOENT/);
    });
});
