import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { runOfEvents } from "../../dev/event-log";
import { UpOutput } from "../../local/up-output";
import { Workspace } from "./workspace";

const PROGRAM = `import { local } from "@pulumi/command";
const first = new local.Command("first", { create: "sleep 1.5" });
new local.Command("second", { create: "sleep 1; echo bootstrap: wait done in 0.5s" }, { dependsOn: first });
`;

describe("the real engine's output of an up", function () {
    this.timeout(120_000);
    let workspace: Workspace;
    beforeEach(async () => {
        workspace = await Workspace.create(PROGRAM);
    });
    afterEach(() => workspace.remove());

    it("reports each operation's start and end as they happen", async () => {
        const output = new UpOutput();
        const child = workspace.start("up", "--yes", "--skip-preview");
        const begin = Date.now();
        child.stderr.resume();
        createInterface({ input: child.stdout }).on("line", (line) => void output.take(line));
        await new Promise((done) => child.once("close", done));
        const seconds = (Date.now() - begin) / 1000;

        const [first, second, ...others] = output.operations;
        assert.deepEqual(
            [first, second].map((operation) => [operation?.name, operation?.kind, operation?.verb]),
            ["first", "second"].map((name) => [name, "Command", "created"]),
        );
        assert.deepEqual(others, []);
        // Waiting lines are printed slightly late, never early.
        assert.ok(first!.seconds > 1 && first!.seconds < seconds, `${first!.seconds}`);
        assert.ok(second!.seconds > 0.5 && second!.seconds < seconds - 1, `${second!.seconds}`);
        assert.ok(Date.parse(second!.at) - Date.parse(first!.at) > 1000);
        assert.ok(Date.parse(first!.at) >= begin);
        assert.deepEqual(
            output.timings.map(({ stage, at }) => [stage, Date.parse(at) > Date.parse(first!.at)]),
            [
                ["first", false],
                ["bootstrap: wait", true],
                ["second", true],
            ],
        );
    });

    it("contains the same in its event log", async () => {
        await workspace.up();
        const { stages, operations } = runOfEvents(workspace.read("events.jsonl"))!;
        assert.deepEqual(
            operations.map(({ name, kind, verb }) => [name, kind, verb]),
            ["first", "second"].map((name) => [name, "Command", "created"]),
        );
        assert.ok(operations[0]!.seconds >= 1 && stages[0]!.seconds >= 2);
        await workspace.up();
        assert.equal(runOfEvents(workspace.read("events.jsonl")), undefined);
    });
});
