import assert from "node:assert/strict";
import { resolve } from "node:path";
import type { Account } from "../../simulator/clouds/digitalocean/account";
import { PaperStack } from "./paper/paper-stack";
import { succeeded } from "./workspace";

const component = (path: string) => JSON.stringify(resolve(__dirname, "../../components", path));

/** A droplet with the hooks of ours that concern errors; the others need a cluster. */
const program = (
    size: string,
    hooks = "new SizeTurns('c', 'size', busyAdvice).hooks",
) => `import { Droplet } from "@pulumi/digitalocean/droplet";
import { Vpc } from "@pulumi/digitalocean/vpc";
import { busyAdvice } from ${component("digitalocean/droplets")};
import { explained } from ${component("pulumi/explained")};
import { SizeTurns } from ${component("rolling-resize/hooks")};

const { onError } = ${hooks};
const vpc = new Vpc("c", { name: "c", region: "fra1", ipRange: "10.9.0.0/20" });
const fixed = { name: "a", region: "fra1", image: "ubuntu-24-04-x64", vpcUuid: vpc.id, userData: "" };
new Droplet("a", { ...fixed, size: "${size}", dropletAgent: false }, { hooks: { onError } });
`;

describe("a droplet with an event in progress, with the real engine in a dry run,", function () {
    this.timeout(120_000);
    let stack: PaperStack;
    let account: Account;
    const size = () => Object.values(account.resources.droplets)[0]?.size;

    before(async () => {
        stack = await PaperStack.create("digitalocean", {}, program("s-2vcpu-2gb"));
        account = stack.account as Account;
        await succeeded(stack.operation("up"));
    });
    after(() => stack?.remove());

    it("is resized when the event has ended", async () => {
        account.behave({ busy: { a: 1 } });
        stack.rewrite(program("s-2vcpu-4gb"));
        const { output } = await succeeded(stack.operation("up"));
        assert.match(output, /a: trying again until it works: .*422 Droplet already has a pending event/s);
        assert.equal(size(), "s-2vcpu-4gb");
    });

    it("is recorded as resized if the event takes too long, which a refresh finds out, as up says", async () => {
        account.behave({ busy: { a: 1 } });
        stack.rewrite(program("s-4vcpu-8gb", "explained('a', busyAdvice)"));
        const { exitCode, output } = await stack.operation("up");
        assert.notEqual(exitCode, 0);
        assert.match(
            output,
            /busy with another event of the droplet, such as a backup; once that has ended, run `pulumi up --refresh`/,
        );
        const droplet = (await stack.resources()).find(({ name }) => name === "a")!;
        assert.deepEqual([droplet.outputs.size, size()], ["s-4vcpu-8gb", "s-2vcpu-4gb"]);
        await succeeded(stack.operation("up", "--refresh"));
        assert.equal(size(), "s-4vcpu-8gb");
    });
});
