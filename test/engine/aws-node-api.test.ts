import assert from "node:assert/strict";
import type { Account } from "../../simulator/clouds/aws/account";
import { noWayByName } from "../../simulator/clouds/aws/way-by-name";
import { describeLong } from "../takes-long";
import { PaperStack } from "./paper/paper-stack";
import { configOf } from "./previews/configurations";
import type { Run } from "./workspace";

const succeeded = async (running: Promise<Run>) => {
    const run = await running;
    assert.equal(run.exitCode, 0, run.output);
    return run;
};

const { "tradewind:zones": _, ...small } = configOf("stacks/Pulumi.aws-small.yaml");
const three = { ...small, "tradewind:controllers": { count: 3 }, "tradewind:workerPools": [{ name: "default" }] };

const clusters: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    "private nodes behind one NAT gateway": { "tradewind:topology": "private", "tradewind:natGateways": "one" },
    "public nodes with an API for few clients": { "tradewind:apiAllowedCidrs": ["192.0.2.0/24"] },
};

describeLong("the API of a cluster on AWS, in a dry run by the real engine,", function () {
    this.timeout(180_000);

    for (const [what, extra] of Object.entries(clusters)) {
        it(`is reached by ${what}, also while the NAT gateway's zone is down, and by the internet under the same name`, async () => {
            const stack = await PaperStack.create("aws", { ...three, ...extra });
            try {
                const account = stack.account as Account;
                const before = account.left;
                await succeeded(stack.operation("up"));
                const name = "api.test.example.com";
                const problems = () =>
                    Object.keys(account.resources.instances).flatMap(
                        (id) => noWayByName(account, id, name, 6443) ?? [],
                    );
                assert.deepEqual([Object.keys(account.resources.instances).length, problems()], [4, []]);
                account.loseZones("a");
                assert.deepEqual(problems(), []);
                const isPublic = ({ target }: { target?: string }) =>
                    account.all("loadBalancers").some((each) => each.dnsName === target && each.scheme !== "internal");
                const named = account.all("records").filter((each) => each.name === name);
                assert.deepEqual([named.length, named.filter(isPublic).length], [2, 1]);
                account.loseZones();
                const { changes } = await succeeded(stack.operation("up"));
                assert.deepEqual(Object.keys(changes), ["same"]);
                await succeeded(stack.operation("destroy"));
                assert.deepEqual(account.left, before);
            } finally {
                stack.remove();
            }
        });
    }

    it("moves to an internal load balancer, and to another health check, without changing a machine, and back", async () => {
        const stack = await PaperStack.create("aws", { ...three, "tradewind:nodeApiAccess": "shared" });
        try {
            await succeeded(stack.operation("up"));
            const before = stack.account.left;
            stack.configure({ "tradewind:nodeApiAccess": "internal" });
            const { changes, output } = await succeeded(stack.operation("up"));
            const created = { loadBalancer: 1, listener: 1, targetGroup: 1, zone: 1, record: 1, attachments: 3 };
            const number = Object.values(created).reduce((sum, each) => sum + each);
            assert.deepEqual({ ...changes, same: undefined }, { create: number, same: undefined }, output);
            stack.configure({ "tradewind:apiHealthCheck": "tcp" });
            const checked = await succeeded(stack.operation("up"));
            assert.deepEqual({ ...checked.changes, same: undefined }, { update: 2, same: undefined }, checked.output);
            const groups = (stack.account as Account).all("targetGroups");
            assert.deepEqual(
                groups.map(({ checksPort }) => checksPort),
                [true, true],
            );
            stack.configure({ "tradewind:nodeApiAccess": "shared", "tradewind:apiHealthCheck": "https" });
            await succeeded(stack.operation("up"));
            assert.deepEqual(stack.account.left, before);
        } finally {
            stack.remove();
        }
    });
});
