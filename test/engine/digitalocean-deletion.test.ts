import assert from "node:assert/strict";
import type { Account } from "../../simulator/clouds/digitalocean/account";
import { PaperStack } from "./paper/paper-stack";

describe("a destroy on DigitalOcean whose controller takes 45 seconds to shut down, with the real engine in a dry run,", function () {
    this.timeout(240_000);
    let stack: PaperStack;

    before(async () => {
        stack = await PaperStack.create("digitalocean", {
            "tradewind:domain": "example.com",
            "tradewind:region": "fra1",
            "tradewind:image": "170000001",
            "tradewind:sshKeys": ["42"],
        });
    });
    after(() => stack?.remove());

    it("names a droplet that was deleted outside Pulumi", async () => {
        const made = await stack.operation("up");
        assert.equal(made.exitCode, 0, made.output);
        const account = stack.account as Account;
        const [[id, droplet] = assert.fail("no droplet")] = Object.entries(account.resources.droplets);
        account.remove("droplets", id);
        const { exitCode, output } = await stack.operation("destroy");
        assert.notEqual(exitCode, 0);
        assert.match(
            output,
            /Error waiting for droplet to be unlocked for destroy \(\d+\): unexpected state 'Not Found'/,
        );
        account.put("droplets", id, droplet);
    });

    it("succeeds in one run, VPC included", async () => {
        const made = await stack.operation("up");
        assert.equal(made.exitCode, 0, made.output);
        const { exitCode, output } = await stack.operation("destroy");
        assert.equal(exitCode, 0, output);
        assert.deepEqual((stack.account as Account).left, []);
    });
});
