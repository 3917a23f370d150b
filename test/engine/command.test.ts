import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { processesOf } from "./processes";
import { until } from "./until";
import { Workspace } from "./workspace";

function program(args: string, options = "{}"): string {
    return `import { local } from "@pulumi/command";
    import * as pulumi from "@pulumi/pulumi";
    const command = new local.Command("it", ${args}, ${options});
    export const { stdout, stderr } = command;`;
}

describe("the command stand-in with the real engine", function () {
    this.timeout(120_000);
    let workspace: Workspace;

    beforeEach(async () => {
        workspace = await Workspace.create("");
    });
    afterEach(() => workspace.remove());

    it("runs create first, update on a change, delete at the end, each with the output of the previous one", async () => {
        const args = (value: string) => `{
            create: "echo created",
            update: "echo updated after $PULUMI_COMMAND_STDOUT with $VALUE",
            delete: "echo deleted after $PULUMI_COMMAND_STDOUT > deleted",
            environment: { VALUE: "${value}" },
        }`;
        workspace.write("index.ts", program(args("1")));

        const preview = await workspace.preview();
        assert.equal(preview.exitCode, 0, preview.output);
        assert.match(preview.output, /stdout: \[unknown\]/);
        assert.equal((await workspace.up()).changes.create, 2);
        assert.equal((await workspace.outputs()).stdout, "created");
        assert.deepEqual((await workspace.up()).changes, { same: 2 });

        workspace.write("index.ts", program(args("2")));
        assert.deepEqual((await workspace.up()).changes, { same: 1, update: 1 });
        assert.equal((await workspace.outputs()).stdout, "updated after created with 2");

        assert.equal((await workspace.destroy()).exitCode, 0);
        assert.equal(workspace.read("deleted"), "deleted after updated after created with 2\n");
    });

    it("runs create again on a change if there is no update", async () => {
        workspace.write("index.ts", program('{ create: "echo one" }'));
        await workspace.up();
        workspace.write("index.ts", program('{ create: "echo two" }'));

        assert.deepEqual((await workspace.up()).changes, { same: 1, update: 1 });
        assert.equal((await workspace.outputs()).stdout, "two");
    });

    it("is replaced when a trigger changes", async () => {
        const args = (trigger: number) =>
            `{ create: "echo created", delete: "echo x >> deleted", triggers: [${trigger}] }`;
        workspace.write("index.ts", program(args(1)));
        await workspace.up();
        workspace.write("index.ts", program(args(2)));

        const { changes } = await workspace.up();

        assert.deepEqual(changes, { same: 1, replace: 1 });
        assert.equal(workspace.read("deleted"), "x\n");
    });

    it("shows output line by line while the command runs, of both streams", async () => {
        workspace.write(
            "index.ts",
            program('{ create: "echo first; echo second >&2; while [ ! -e go ]; do sleep 0.05; done" }'),
        );
        const engine = workspace.start("up", "--yes", "--skip-preview");
        let output = "";
        engine.stdout.on("data", (text) => {
            output += text;
        });
        await until("both lines to be shown", () => /first/.test(output) && /second/.test(output));

        workspace.write("go", "");

        await until("the engine to exit", () => engine.exitCode !== null);
        assert.equal(engine.exitCode, 0);
    });

    it("passes standard input, folder and interpreter, and trims one newline", async () => {
        const args = `{
            create: "import os, sys; print(os.getcwd()); print(sys.stdin.read())",
            interpreter: ["python3", "-c"], stdin: "hello", dir: "/", logging: "none",
        }`;
        workspace.write("index.ts", program(args));

        const { output, exitCode } = await workspace.up();

        assert.equal(exitCode, 0, output);
        assert.equal((await workspace.outputs()).stdout, "/\nhello");
        assert.doesNotMatch(output.split("Outputs:")[0]!, /hello/);
    });

    it("fails with the exit status, the command and its whole output", async () => {
        workspace.write("index.ts", program('{ create: "echo reason >&2; exit 3", logging: "none" }'));

        const { exitCode, output } = await workspace.up();

        assert.notEqual(exitCode, 0);
        assert.match(output, /error: exit status 3: running "echo reason >&2; exit 3":\s+reason/);
        assert.doesNotMatch(output, /\n\s+at /);
        assert.deepEqual(
            workspace.state().filter(({ type }) => type === "command:local:Command"),
            [],
        );
    });

    it("keeps outputs secret if an input is", async () => {
        workspace.write(
            "index.ts",
            program('{ create: "cat; echo", stdin: pulumi.secret("swordfish"), logging: "none" }'),
        );

        const { output } = await workspace.up();

        assert.doesNotMatch(output, /swordfish/);
        assert.doesNotMatch(JSON.stringify(workspace.state()), /swordfish/);
        assert.equal((await workspace.outputs()).stdout, "swordfish");
    });

    for (const signal of ["SIGINT", "SIGKILL"] as const) {
        it(`kills the command and its children when the engine gets ${signal}`, async () => {
            workspace.write("index.ts", program('{ create: "sleep 77 & touch started; wait" }'));
            const engine = workspace.start("up", "--yes", "--skip-preview");
            await until("the command to run", () => existsSync(join(workspace.dir, "started")));

            engine.kill(signal);

            await until("all processes to exit", () => processesOf(workspace.dir).length === 0);
        });
    }

    it("reports what needs the official plugin", async () => {
        workspace.write("index.ts", program('{ create: "true", assetPaths: ["*"] }'));

        const { exitCode, output } = await workspace.preview();

        assert.notEqual(exitCode, 0);
        assert.match(output, /assetPaths needs the official command plugin/);
    });
});
