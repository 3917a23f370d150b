import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import type { Account } from "../../simulator/aws/account";
import { describeInTurn, onPaper } from "../takes-long";
import { PaperStack } from "./paper/paper-stack";

describeInTurn(onPaper("aws"), "an AMI that its publisher took back, by the real engine on paper,", function () {
    this.timeout(300_000);
    let stack: PaperStack;

    before(async () => {
        stack = await PaperStack.create("aws", {
            "aws:region": "eu-central-1",
            "tradewind:domain": "example.com",
            "tradewind:pools": [{ name: "default" }],
            "tradewind:downloads": { kubelet: { sha256: "0".repeat(64) } },
        });
    });
    after(() => stack?.remove());

    const gone = /image must be an AMI of amd64 that is there in the region, got flatcar-beta: .*no results/;
    const image = (name: string) => stack.configure({ "tradewind:image": name });

    it("is refused in preview, and before anything is made, by who never had it", async () => {
        image("flatcar-beta");
        for (const command of ["preview", "up"] as const) {
            const { exitCode, output } = await stack.operation(command);
            assert.notEqual(exitCode, 0);
            assert.match(output, gone);
            assert.doesNotMatch(output, / {4}at .*\.ts/);
        }
        assert.deepEqual(
            (stack.account as Account).all("instances").map(({ name }) => name),
            [],
        );
    });

    it("stays that of a cluster that booted it, which is told, and can be changed", async () => {
        image("flatcar-stable");
        const made = await stack.operation("up");
        assert.equal(made.exitCode, 0, made.output);
        const { path, state } = stack.account as Account;
        const { "ami-0123456789abcdef0": _, ...amis } = state.amis;
        writeFileSync(path, JSON.stringify({ ...state, amis }));
        const { exitCode, output } = await stack.operation("up", "--expect-no-changes");
        assert.equal(exitCode, 0, output);
        assert.match(output, /got flatcar-stable: .*no results.*\. What boots goes on to be ami-0123456789abcdef0/);
        stack.configure({ "tradewind:pools": [] });
        const changed = await stack.operation("up");
        assert.equal(changed.exitCode, 0, changed.output);
    });

    it("is refused in the place of another one", async () => {
        image("flatcar-beta");
        const { exitCode, output } = await stack.operation("preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, gone);
    });
});
