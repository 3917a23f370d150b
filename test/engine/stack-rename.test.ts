import assert from "node:assert/strict";
import { describeLongIf } from "../takes-long";
import type { CloudName } from "./paper/clouds";
import { PaperStack } from "./paper/paper-stack";

const shared = { "tradewind:domain": "example.com" };
const configs: Readonly<Partial<Record<CloudName, Readonly<Record<string, unknown>>>>> = {
    aws: { ...shared, "aws:region": "eu-central-1" },
    digitalocean: {
        ...shared,
        "tradewind:region": "fra1",
        "tradewind:image": "170000001",
        "tradewind:sshKeys": ["42"],
    },
};

for (const [cloud, config] of Object.entries(configs) as [CloudName, Readonly<Record<string, unknown>>][]) {
    describeLongIf(cloud === "aws", `a stack on ${cloud} that is renamed`, function () {
        this.timeout(400_000);
        let stack: PaperStack;

        before(async () => {
            stack = await PaperStack.create(cloud, config);
            const { exitCode, output } = await stack.operation("up");
            assert.equal(exitCode, 0, output);
            await stack.rename("blue");
        });
        after(() => stack?.remove());

        const refusal =
            /the cluster name cannot be changed after creation \(is test, got blue\): .*\n.*pulumi stack rename test/;

        it("is rejected in preview and by up, with a way to undo it, and nothing changes", async () => {
            const left = stack.account.left;
            for (const command of ["preview", "up"] as const) {
                const { exitCode, output } = await stack.operation(command);
                assert.notEqual(exitCode, 0, output);
                assert.match(output, refusal);
                assert.doesNotMatch(output, / {4}at .*\.ts/);
                assert.doesNotMatch(output, /to create|created/);
            }
            assert.deepEqual(stack.account.left, left);
        });

        it("keeps its cluster with tradewind:name", async () => {
            stack.configure({ "tradewind:name": "test" });
            const { exitCode, output } = await stack.operation("preview", "--expect-no-changes");
            stack.configure({ "tradewind:name": undefined });
            assert.equal(exitCode, 0, output);
        });

        it("has nothing to change once it has its old name again", async () => {
            await stack.rename("test");
            const { exitCode, output } = await stack.operation("preview", "--expect-no-changes");
            assert.equal(exitCode, 0, output);
        });

        it("has nothing to change in another project and backend with the same name", async () => {
            await stack.move("elsewhere");
            const { exitCode, output } = await stack.operation("preview", "--expect-no-changes");
            assert.equal(exitCode, 0, output);
        });
    });
}
