import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const root = resolve(__dirname, "../../../..");

/** Runs an agent whose main is the text of a function. */
function run(main: string, options = "", env: NodeJS.ProcessEnv = {}) {
    const program = `const { ownPod, repeat, runAgent } = require("./agents/harness/main");
        const { InvalidPlan } = require("./agents/harness/plan");
        class Logged extends Error {}
        runAgent(${main}, { onSignal: "nothing was done", logged: [Logged], ${options} });`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["-r", "tsx/cjs", "-e", program], {
        cwd: root,
        env: { ...process.env, ...env },
        encoding: "utf8",
    });
    return { status, stdout, stderr };
}

describe("an agent's main", function () {
    this.timeout(30_000);

    it("logs what it resolves to, and exits with 0", () => {
        assert.deepEqual(run("async () => 'done'"), { status: 0, stdout: "done\n", stderr: "" });
    });

    it("exits with 1 on an error, with the message alone where that explains it", () => {
        const invalid = run("async () => { throw new InvalidPlan('name must be a text') }");
        assert.deepEqual(invalid, { status: 1, stdout: "", stderr: "name must be a text\n" });
        const { status, stderr } = run("async () => { throw new TypeError('oops') }");
        assert.equal(status, 1);
        assert.match(stderr, /TypeError: oops\n +at /);
    });

    it("does not repeat an error that is logged", () => {
        assert.deepEqual(run("async () => { throw new Logged('step failed') }"), { status: 1, stdout: "", stderr: "" });
    });

    it("explains errors, logs them and exits as the agent says", () => {
        const options =
            "explained: [Error], explain: ({ message }) => message + '!', log: console.log, exitCode: () => 3";
        const { status, stdout, stderr } = run("async () => { throw new Error('it does not start') }", options);
        assert.deepEqual({ status, stdout, stderr }, { status: 3, stdout: "it does not start!\n", stderr: "" });
    });

    it("never prints what a terminal acts on", () => {
        const { stdout, stderr } = run("async () => { console.log('a\\u001b[2J'); throw new Error('b\\u009b') }");
        assert.equal(stdout, "a\\u001b[2J\n");
        assert.match(stderr, /^Error: b\\u009b\n/);
    });

    it("requires the names of its pod", () => {
        const { status, stderr } = run("async () => ownPod().nodeName");
        assert.equal(status, 1);
        assert.match(stderr, /^NODE_NAME and POD_UID must be those of the node and of this pod\n$/);
        assert.equal(run("async () => ownPod().nodeName", "", { NODE_NAME: "a", POD_UID: "b" }).stdout, "a\n");
    });

    it("repeats its work until that fails", () => {
        const look = "async (round) => { console.log(round); if (round === 2) throw new InvalidPlan('enough'); }";
        const { stdout, stderr } = run(`() => repeat(1, ${look})`);
        assert.deepEqual([stdout, stderr], ["0\n1\n2\n", "enough\n"]);
    });

    it("says on a signal what becomes of the work", () => {
        const { status, stdout } = run("() => new Promise(() => process.kill(process.pid, 'SIGTERM'))");
        assert.equal(status, 143);
        assert.equal(stdout, "ended by SIGTERM; nothing was done\n");
    });
});
