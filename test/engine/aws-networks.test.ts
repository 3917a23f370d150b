import assert from "node:assert/strict";
import type { Account } from "../../simulator/clouds/aws/account";
import { itLong } from "../takes-long";
import { PaperStack } from "./paper/paper-stack";
import { configOf } from "./previews/configurations";
import { succeeded } from "./workspace";

/** Networks in addition to that of `cloud-life.test.ts`, each with a production cluster. */
const networks: readonly (readonly [what: string, extra: Readonly<Record<string, unknown>>])[] = [
    [
        "an existing VPC with its subnets and an existing private zone",
        {
            "tradewind:vpcId": "vpc-0123456789abcdef0",
            "tradewind:vpcCidr": "10.40.0.0/16",
            "tradewind:subnetIds": ["subnet-0123456789abcde01", "subnet-0123456789abcde02"],
            "tradewind:apiAccess": "internal",
            "tradewind:privateZone": "Z0123456789ABC",
        },
    ],
    [
        "IPv6 addresses, of pods too, and one gateway for all zones",
        {
            "tradewind:ipv6": true,
            "tradewind:podCidr6": "fd00:10:2::/56",
            "tradewind:serviceCidr6": "fd00:10:3::/112",
            "tradewind:natGateways": "one",
        },
    ],
];

describe("a cluster on AWS in another network, created in a dry run by the real engine", function () {
    this.timeout(180_000);

    for (const [index, [what, extra]] of networks.entries()) {
        (index === 0 ? it : itLong)(
            `is created, unchanged and destroyed with ${what}, and leaves existing resources alone`,
            async () => {
                const { "tradewind:natGateways": gateways, ...production } = configOf(
                    "stacks/Pulumi.aws-production.yaml",
                );
                const own =
                    "tradewind:vpcId" in extra ? production : { ...production, "tradewind:natGateways": gateways };
                const stack = await PaperStack.create("aws", { ...own, ...extra });
                try {
                    const account = stack.account as Account;
                    // As in a default VPC: even subnets with a NAT gateway assign public addresses.
                    for (const id of Object.keys(account.resources.subnets)) {
                        account.change("subnets", id, (now) => ({ ...now, isPublic: true }));
                    }
                    const brought = account.left;
                    await succeeded(stack.operation("up"));
                    const { changes } = await succeeded(stack.operation("up"));
                    assert.deepEqual(Object.keys(changes), ["same"]);
                    const nodes = account.all("instances");
                    assert.ok(nodes.length > 0 && nodes.every(({ publicAddress }) => publicAddress === undefined));
                    await succeeded(stack.operation("destroy"));
                    // The bucket of snapshots outlives the cluster, and stays encrypted and private.
                    const isRetained = (each: string) => each.endsWith(" acme-prod-snapshots");
                    assert.deepEqual(
                        account.left.filter((each) => !isRetained(each)),
                        brought,
                    );
                } finally {
                    stack.remove();
                }
            },
        );
    }
});
