import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A pipe that was opened for writing, and that nothing reads any more. */
const unread = 'mkfifo "$0" && exec 3<>"$0" 4>"$0" 3<&-';

describe("a command whose output goes to a closed pipe", function () {
    this.timeout(60_000);
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-pipe-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const run = (redirected: string, ...args: string[]) => {
        const script = `${unread} && exec "$@" ${redirected}`;
        const { status, stdout, stderr } = spawnSync(
            "sh",
            ["-c", script, join(folder, "pipe"), process.execPath, ...args],
            {
                encoding: "utf8",
            },
        );
        return { status, output: `${stdout}${stderr}` };
    };
    const root = join(__dirname, "../../..");

    for (const words of ["--help", "status --help", "break-glass --help"]) {
        it(`ends quietly: tradewind ${words}`, () => {
            const { status, output } = run(">&4", join(root, "dev/tradewind.cjs"), ...words.split(" "));
            assert.equal(output, "");
            assert.ok(status === 0 || status === 141, `exit code ${status}`);
        });
    }

    it("ends as a program that SIGPIPE has ended, even if it would go on, and if its errors go there", () => {
        const endless = `require("./command-line/end-with.cjs").endWith(new Promise(() => setInterval(() => console.log("x"))))`;
        const from = `process.chdir(${JSON.stringify(root)});`;
        assert.deepEqual(run(">&4", "-e", from + endless), { status: 141, output: "" });
        rmSync(join(folder, "pipe"));
        assert.deepEqual(run("2>&4", "-e", from + endless.replace("log", "error")), { status: 141, output: "" });
    });
});

describe("a command whose output goes to a pipe that is read slowly", () => {
    it("ends only once all of it is written", async () => {
        const program = `require("./command-line/end-with.cjs").endWith((async () => {
            process.stderr.write("y".repeat(1_000_000));
            process.stdout.write("x".repeat(1_000_000));
        })())`;
        const options = { cwd: join(__dirname, "../../.."), maxBuffer: 2 ** 22 };
        const { stdout, stderr } = await promisify(execFile)(process.execPath, ["-e", program], options);
        assert.deepEqual([stdout.length, stderr.length], [1_000_000, 1_000_000]);
    });
});

describe("a command whose output does not fit on the disk", () => {
    for (const write of ["console.log", "process.stdout.write"]) {
        it(`fails, and says why, although it went on: by ${write}`, () => {
            const program = `require("./command-line/end-with.cjs").endWith((async () => {
                ${write}("x");
                ${write}("y");
                return 0;
            })())`;
            const script = 'exec "$0" -e "$1" > /dev/full';
            const { status, stderr } = spawnSync("sh", ["-c", script, process.execPath, program], {
                cwd: join(__dirname, "../../.."),
                encoding: "utf8",
            });
            assert.equal(stderr, "error: cannot write the output: ENOSPC: no space left on device, write\n");
            assert.equal(status, 1);
        });
    }
});
