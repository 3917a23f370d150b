import assert from "node:assert/strict";
import { deployAws } from "../deploy-aws";

describe("private workers on AWS in existing subnets", function () {
    this.timeout(60_000);

    const templateIn = async (subnet: string, options: object) => {
        const { resources } = await deployAws({
            vpcId: "vpc-0123456789abcdef0",
            vpcCidr: "10.40.0.0/16",
            subnetIds: [subnet],
            loadBalancerSubnetIds: ["subnet-a000000a"],
            workerPools: [{ name: "w" }],
            ...options,
        });
        const { inputs } = resources.find(({ type }) => type.endsWith(":LaunchTemplate"))!;
        const groups = inputs.vpcSecurityGroupIds as string[] | undefined;
        return {
            groups: groups?.length,
            interfaces: inputs.networkInterfaces as Record<string, unknown>[] | undefined,
        };
    };

    it("refuse the public addresses that a subnet assigns", async () => {
        const { groups, interfaces } = await templateIn("subnet-a000000a", { topology: "private" });
        assert.equal(groups, undefined);
        assert.deepEqual(
            interfaces!.map(({ associatePublicIpAddress, securityGroups }) => [
                associatePublicIpAddress,
                (securityGroups as string[]).length,
            ]),
            [["false", 2]],
        );
    });

    // Another template would get a new version, and a pool with `instanceRefresh` new instances.
    it("keep their template where the subnet assigns none, and with public nodes", async () => {
        const same = { groups: 2, interfaces: undefined };
        assert.deepEqual(await templateIn("subnet-b000000b", { topology: "private" }), same);
        assert.deepEqual(await templateIn("subnet-a000000a", { topology: "public" }), same);
    });
});
