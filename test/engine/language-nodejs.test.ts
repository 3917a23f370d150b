import assert from "node:assert/strict";
import { processesOf } from "./processes";
import { until } from "./until";
import { Workspace } from "./workspace";

describe("the Node language host with the real engine", function () {
    this.timeout(120_000);
    let workspace: Workspace;

    beforeEach(async () => {
        workspace = await Workspace.create("");
    });
    afterEach(() => workspace.remove());

    it("runs a TypeScript program with its configuration, and shows its output", async () => {
        workspace.write(
            "index.ts",
            `import * as pulumi from "@pulumi/pulumi";
            const config = new pulumi.Config();
            const count: number = config.requireNumber("count");
            console.log("on standard output");
            console.error("on standard error");
            export const next = count + 1;
            export const hidden = config.requireSecret("password");
            export const where = [pulumi.getProject(), pulumi.getStack()];`,
        );
        await workspace.pulumi("config", "set", "count", "41");
        await workspace.pulumi("config", "set", "--secret", "password", "correct horse");

        const { exitCode, output } = await workspace.up();

        assert.equal(exitCode, 0, output);
        assert.match(output, /on standard output/);
        assert.match(output, /on standard error/);
        assert.doesNotMatch(output, /correct horse/);
        assert.deepEqual(await workspace.outputs(), { next: 42, hidden: "correct horse", where: ["test", "test"] });
    });

    it("runs the program that `main` names, in its folder", async () => {
        workspace.write("other.ts", "export const ran = __filename;");
        workspace.write("Pulumi.yaml", workspace.read("Pulumi.yaml").replace("runtime:", "main: other.ts\nruntime:"));

        const { exitCode, output } = await workspace.up();

        assert.equal(exitCode, 0, output);
        assert.match(String((await workspace.outputs()).ran), /other\.ts$/);
    });

    it("shows an exception once, with its place in the program, and fails the preview", async () => {
        workspace.write("index.ts", "const size: number = 3;\nthrow new Error(`no room for ${size}`);\n");

        const { exitCode, output } = await workspace.preview();

        assert.notEqual(exitCode, 0);
        assert.match(output, /no room for 3/);
        assert.match(output, /index\.ts:2/);
        assert.doesNotMatch(output, /non-zero exit code/);
    });

    it("shows a RunError without a stack", async () => {
        workspace.write("index.ts", 'import { RunError } from "@pulumi/pulumi";\nthrow new RunError("choose a size");');

        const { exitCode, output } = await workspace.preview();

        assert.notEqual(exitCode, 0);
        assert.match(output, /choose a size/);
        assert.doesNotMatch(output, /index\.ts/);
    });

    it("reports the exit code of a program that exits on its own", async () => {
        workspace.write("index.ts", "process.exit(7);");

        const { exitCode, output } = await workspace.preview();

        assert.notEqual(exitCode, 0);
        assert.match(output, /non-zero exit code: 7/);
    });

    it("leaves no process behind", async () => {
        await workspace.up();

        assert.deepEqual(processesOf(workspace.dir), []);
    });

    for (const signal of ["SIGINT", "SIGKILL"] as const) {
        it(`kills the program when the engine gets ${signal}`, async () => {
            workspace.write("index.ts", "export const never = new Promise(() => setInterval(() => {}, 1000));");
            const engine = workspace.start("preview");
            const isRunning = () => processesOf(workspace.dir).some((command) => command.includes("cmd/run"));
            await until("the program to run", isRunning);

            engine.kill(signal);

            await until("all processes to exit", () => processesOf(workspace.dir).length === 0);
        });
    }
});
