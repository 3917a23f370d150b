import assert from "node:assert/strict";
import { Account } from "../../simulator/clouds/digitalocean/account";
import { PaperStack } from "./paper/paper-stack";

describe("a region's first VPC on DigitalOcean, with the real engine in a dry run,", function () {
    this.timeout(240_000);
    let stack: PaperStack;
    let account: Account;

    before(async () => {
        stack = await PaperStack.create("digitalocean", {
            "tradewind:domain": "example.com",
            "tradewind:region": "fra1",
            "tradewind:image": "170000001",
            "tradewind:sshKeys": ["42"],
        });
        const { path, state } = stack.account as Account;
        account = Account.open(path, { ...state, defaultVpcs: [] });
    });
    after(() => stack?.remove());

    it("is never the cluster's: a preview says how to create another one first", async () => {
        const { exitCode, output } = await stack.operation("preview");
        assert.notEqual(exitCode, 0);
        assert.match(
            output,
            /region must be one with a default VPC \(got fra1\): .* --name default-fra1 --region fra1/,
        );
        assert.doesNotMatch(output, / {4}at .*\.ts/);
    });

    it("is reported if the cluster's VPC became the default, and the service keeps it", async () => {
        account.put("vpcs", "theirs", {
            name: "default-fra1",
            region: "fra1",
            ipRange: "10.135.0.0/16",
            isDefault: true,
        });
        const made = await stack.operation("up");
        assert.equal(made.exitCode, 0, made.output);
        assert.doesNotMatch(made.output, /is the default of fra1/);
        makeDefault("test");
        const again = await stack.operation("up", "--expect-no-changes");
        assert.equal(again.exitCode, 0, again.output);
        assert.match(again.output, /the cluster's VPC is the default of fra1, which DigitalOcean does not delete/);
        const kept = await stack.operation("destroy");
        assert.notEqual(kept.exitCode, 0);
        assert.match(kept.output, /403 Can not delete default VPCs/);
    });

    it("is deleted once another one is the default", async () => {
        makeDefault("default-fra1");
        const { exitCode, output } = await stack.operation("destroy");
        assert.equal(exitCode, 0, output);
        assert.deepEqual(account.left, ["vpcs default-fra1"]);
    });

    /** As `doctl vpcs update ID --default=true`: only one per region is the default. */
    const makeDefault = (name: string) => {
        for (const id of Object.keys(account.resources.vpcs)) {
            account.change("vpcs", id, (vpc) => ({ ...vpc, isDefault: vpc.name === name }));
        }
    };
});
