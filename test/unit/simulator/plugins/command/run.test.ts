import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { checkCommand } from "../../../../../simulator/plugins/command/inputs";
import { lines, run } from "../../../../../simulator/plugins/command/run";
import { UNKNOWN } from "../../../../../simulator/plugins/protocol/serve";

function recorder() {
    const messages: string[] = [];
    const info = (message: string) => void messages.push(message);
    const log = { debug() {}, info, warn() {}, error() {}, status() {} };
    return { messages, context: { log, signal: new AbortController().signal } };
}

/** Empty once the process has ended, whether its parent has waited for it or not. */
function commandLine(pid: string): string {
    const path = `/proc/${pid}/cmdline`;
    return existsSync(path) ? readFileSync(path, "utf8") : "";
}

const NONE = { stdout: "", stderr: "" };

describe("a command", () => {
    it("returns its output without the last newline, and logs its lines", async () => {
        const { messages, context } = recorder();

        const output = await run("echo one; echo; printf two; echo three >&2", {}, NONE, context);

        assert.deepEqual(output, { stdout: "one\n\ntwo", stderr: "three" });
        assert.deepEqual(
            messages.filter((line) => line !== "three"),
            ["one", "", "two"],
        );
    });

    const loggings: ["stdout" | "stderr" | "stdoutAndStderr" | "none", string[]][] = [
        ["stdout", ["out"]],
        ["stderr", ["err"]],
        ["stdoutAndStderr", ["err", "out"]],
        ["none", []],
    ];
    for (const [logging, expected] of loggings) {
        it(`logs as configured by "${logging}"`, async () => {
            const { messages, context } = recorder();
            await run("echo out; echo err >&2", { logging }, NONE, context);
            assert.deepEqual(messages.sort(), expected);
        });
    }

    it("gets the previous one's output, unless disabled", async () => {
        const { context } = recorder();
        const command = 'echo "$PULUMI_COMMAND_STDOUT,$PULUMI_COMMAND_STDERR"';
        const previous = { stdout: "a", stderr: "b" };
        assert.equal((await run(command, {}, previous, context)).stdout, "a,b");
        assert.equal((await run(command, { addPreviousOutputInEnv: false }, previous, context)).stdout, ",");
    });

    it("may leave its standard input unread", async () => {
        const { context } = recorder();
        assert.equal((await run("echo done", { stdin: "x".repeat(1_000_000) }, NONE, context)).stdout, "done");
    });

    it("fails with the reason and its whole output", async () => {
        const { context } = recorder();
        const failures: [string, object, RegExp][] = [
            ["echo why; exit 4", {}, /^Error: exit status 4: running "echo why; exit 4":\nwhy\n$/],
            ["kill -9 $$", {}, /signal: SIGKILL/],
            ["true", { interpreter: ["/no/such/program"] }, /ENOENT/],
        ];
        for (const [command, inputs, expected] of failures) {
            await assert.rejects(run(command, inputs, NONE, context), (error) => expected.test(String(error)));
        }
    });

    it("is killed with all its children on cancellation, even if it ignores signals", async () => {
        const { context } = recorder();
        const controller = new AbortController();
        let child = "";
        const info = (line: string) => {
            child = line;
            controller.abort();
        };
        const command = "trap '' TERM; sleep 60 & echo $!; wait";
        const work = run(command, {}, NONE, { log: { ...context.log, info }, signal: controller.signal });

        await assert.rejects(work, /cancelled/);
        // A killed process disappears with a delay.
        for (const deadline = Date.now() + 5000; commandLine(child) !== "" && Date.now() < deadline; ) {
            await sleep(10);
        }
        assert.equal(commandLine(child), "");
    });
});

describe("the lines of a stream", () => {
    it("are complete, however the text arrives", () => {
        const found: string[] = [];
        const feed = lines((line) => found.push(line));
        for (const text of ["a", "b\nc\r\n", "\n", "d"]) feed.write(text);
        feed.end();
        assert.deepEqual(found, ["ab", "c", "", "d"]);
    });
});

describe("the inputs of a command", () => {
    const cases: [object, RegExp?][] = [
        [{ create: "x", environment: { A: "1" }, triggers: [1, {}], logging: "none", dir: "/" }],
        [{ create: UNKNOWN, environment: { A: UNKNOWN } }],
        [{ environment: { A: 1 } }, /environment must be an object of strings \(got {"A":1}\)/],
        [{ logging: "all" }, /logging must be one of stdout, stderr, stdoutAndStderr, none \(got "all"\)/],
        [{ archivePaths: [] }, /archivePaths needs the official command plugin/],
        [{ creat: "x" }, /unknown property creat/],
    ];
    for (const [inputs, expected] of cases) {
        it(`${expected ? "are rejected" : "are accepted"}: ${JSON.stringify(inputs)}`, () => {
            const reasons = checkCommand(inputs as never).map(({ reason }) => reason);
            if (expected) assert.match(reasons.join(), expected);
            else assert.deepEqual(reasons, []);
        });
    }
});
