import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import type { Account } from "../../simulator/clouds/aws/account";
import { describeLong } from "../takes-long";
import { PaperStack } from "./paper/paper-stack";

describeLong("an AMI that its publisher withdrew, with the real engine in a dry run,", function () {
    this.timeout(300_000);
    let stack: PaperStack;

    before(async () => {
        stack = await PaperStack.create("aws", {
            "aws:region": "eu-central-1",
            "tradewind:domain": "example.com",
            "tradewind:workerPools": [{ name: "default" }],
        });
    });
    after(() => stack?.remove());

    const gone = /image must be an existing amd64 AMI in the region \(got flatcar-beta\): .*no results/;
    const image = (name: string) => stack.configure({ "tradewind:image": name });

    /** Deprecates and withdraws AMIs, as publishers do. */
    function change(make: (amis: Account["state"]["amis"]) => Account["state"]["amis"], more: object = {}): void {
        const { path, state } = stack.account as Account;
        writeFileSync(path, JSON.stringify({ ...state, ...more, amis: make(state.amis) }));
    }

    it("is rejected in preview and before anything is created, for an account that never used it", async () => {
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

    it("is rejected with the reason if no machine joins with it", async () => {
        change((amis) => ({ ...amis, "ami-0123456789abcde10": "Flatcar-lts-4081.3.6-hvm" }));
        image("flatcar-lts");
        const { exitCode, output } = await stack.operation("preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /image must be Flatcar 4459 or newer, not 4081\.3\.6: .*got flatcar-lts/);
    });

    it("triggers a warning before that, but not because a newer one of its channel exists", async () => {
        image("flatcar-stable");
        const made = await stack.operation("up");
        assert.equal(made.exitCode, 0, made.output);
        assert.doesNotMatch(made.output, /The AMI /);
        change((amis) => ({ ...amis, "ami-0123456789abcde11": "Flatcar-stable-4600.2.0-hvm" }), {
            amiDates: { "ami-0123456789abcdef0": { deprecated: "2026-01-01T00:00:00.000Z" } },
        });
        const { exitCode, output } = await stack.operation("preview", "--expect-no-changes");
        assert.equal(exitCode, 0, output);
        const warning =
            /ami-0123456789abcdef0 \(flatcar-stable\), which test-controller-0 and pool default boot, has been deprecated since 2026-01-01/;
        assert.match(output, warning);
        assert.match(output, /such as flatcar-stable-4600\.2\.0/);
    });

    it("stays that of a cluster that booted it, with a warning, and can be changed", async () => {
        change(({ "ami-0123456789abcdef0": _, ...amis }) => amis);
        const { exitCode, output } = await stack.operation("up", "--expect-no-changes");
        assert.equal(exitCode, 0, output);
        assert.match(output, /AMI ami-0123456789abcdef0 \(flatcar-stable\), which .* boot, no longer exists/);
        stack.configure({ "tradewind:workerPools": [] });
        const changed = await stack.operation("up");
        assert.equal(changed.exitCode, 0, changed.output);
    });

    it("is rejected as a replacement for another one", async () => {
        image("flatcar-beta");
        const { exitCode, output } = await stack.operation("preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, gone);
    });
});
