import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Account } from "../../../../../simulator/clouds/aws/account";
import { lookUps } from "../../../../../simulator/clouds/aws/look-ups";
import { requireOffered } from "../../../../../simulator/clouds/aws/offers";
import { placeWithCapacity } from "../../../../../simulator/clouds/aws/scaling";

describe("what a simulated AWS account takes", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-offers-"));
    const [a, b] = ["eu-central-1a", "eu-central-1b"] as const;
    let account: Account;

    beforeEach(() => {
        const owned = { region: "eu-central-1", zoneLetters: ["a", "b"], zones: { Z1: "example.com" }, amis: {} };
        account = Account.open(join(folder, "account.json"), owned);
    });
    after(() => rmSync(folder, { recursive: true }));

    it("is every instance type in every zone, but those that are withheld", () => {
        account.behave({ withheldTypes: [{ zone: "b", instanceType: "t3.medium" }] });
        const filters = [{ name: "instance-type", values: ["t3.medium", "t3.large"] }];
        const asked = { locationType: "availability-zone", filters };
        assert.deepEqual(lookUps["aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings"]!(account, asked), {
            locations: [a, a, b],
            instanceTypes: ["t3.medium", "t3.large", "t3.large"],
        });
        requireOffered(account, a, "t3.medium");
        const refusal =
            /Unsupported: .*\(t3\.medium\) is not supported in .* Zone \(eu-central-1b\)\. .* choosing eu-central-1a\.$/;
        assert.throws(() => requireOffered(account, b, "t3.medium"), refusal);
    });

    it("is the free plan's types on the free plan", () => {
        account.behave({ isOnFreePlan: true });
        requireOffered(account, a, "t3.small");
        assert.throws(() => requireOffered(account, a, "t3.medium"), /is not eligible for Free Tier/);
    });

    it("makes a group use the zones that have its type", () => {
        account.behave({ withheldTypes: [{ zone: "b" }] });
        for (const [id, zone] of [
            ["subnet-a", a],
            ["subnet-b", b],
        ] as const) {
            account.put("subnets", id, { name: id, vpc: "vpc-1", cidr: "10.0.0.0/24", zone });
        }
        const spec = { ami: "ami-1", instanceType: "t3.medium", userData: "", groups: [] };
        const group = { spec, subnets: ["subnet-a", "subnet-b"] } as unknown as Parameters<typeof placeWithCapacity>[1];
        assert.equal(placeWithCapacity(account, group, "subnet-b")?.subnet, "subnet-a");
    });

    it("lacks what it does not have, as the provider reports it", () => {
        for (const [token, message] of [
            ["aws:lb/getLoadBalancer:getLoadBalancer", /couldn't find resource/],
            ["aws:lb/getTargetGroup:getTargetGroup", /no matching ELBv2 Target Group found/],
            ["aws:ec2/getLaunchTemplate:getLaunchTemplate", /no matching EC2 Launch Template found/],
        ] as const) {
            assert.throws(() => lookUps[token]!(account, { name: "c-api" }), message);
        }
    });
});
