import assert from "node:assert/strict";
import { resolveAws } from "../../../../../components/aws/resolve";
import { deployAws } from "../deploy-aws";

const existing = {
    vpcId: "vpc-0123456789abcdef0",
    vpcCidr: "10.40.0.0/16",
    subnetIds: ["subnet-a000000a", "subnet-a000000b"],
};
const group = "sg-0123456789abcdef0";

describe("security groups of one's own on AWS", function () {
    this.timeout(60_000);

    it("are those of every node in addition to the cluster's", async () => {
        const options = { ...existing, workerPools: [{ name: "a" }], securityGroupIds: [group] };
        const { resources } = await deployAws(options);
        const of = (type: string) => resources.find((each) => each.type.endsWith(`:${type}`))!.inputs;
        assert.deepEqual(of("Instance").vpcSecurityGroupIds, ["c-nodes-id", "c-controllers-id", group]);
        assert.deepEqual(of("LaunchTemplate").vpcSecurityGroupIds, ["c-nodes-id", "c-workers-id", group]);
    });

    it("must be in the VPC, which a preview checks", async () => {
        await assert.rejects(deployAws({ ...existing, securityGroupIds: ["sg-0123456789abcdef1"] }, true), {
            message:
                "securityGroupIds[0] must be a security group of vpc-0123456789abcdef0, not of vpc-0123456789abcdef9 (got sg-0123456789abcdef1)",
        });
    });

    it("must be few, and cannot be in a VPC that does not exist yet", () => {
        const least = { domain: "example.com", region: "eu-central-1" };
        const groups = ["1", "2", "3", "4"].map((end) => `${group}${end}`.replace("f0", "f"));
        const refuse = (options: object, message: RegExp) =>
            assert.throws(() => resolveAws("c", { ...least, ...options }), { message });
        refuse({ securityGroupIds: [group] }, /^securityGroupIds requires vpcId \(got \["sg-/);
        refuse({ ...existing, securityGroupIds: groups }, /^securityGroupIds must be at most three \(got /);
        refuse({ ...existing, securityGroupIds: ["nodes"] }, /^securityGroupIds\[0\] must be a security group's id/);
        refuse({ ...existing, securityGroupIds: [group, group] }, /^securityGroupIds\[1\] must not be listed twice/);
    });
});
