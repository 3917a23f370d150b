import assert from "node:assert/strict";
import { cleanedGroups } from "../../../../components/aws/in-cluster";
import type { AwsOptions } from "../../../../components/aws/options";
import { resolveAws } from "../../../../components/aws/resolve";

const workerPools = [{ name: "a" }];
const noWayOut = { workerPools, topology: "private", apiAccess: "internal", natGateways: "none" };
const cleaned = (options: Partial<AwsOptions>) =>
    cleanedGroups(resolveAws("c", { domain: "example.com", region: "eu-central-1", ...options }).aws);

describe("nodes that are deleted when their instances are gone", () => {
    it("are those of pools, as EC2 names instances", () => {
        const { namePattern, region } = cleaned({ workerPools })!;
        assert.equal(region, "eu-central-1");
        assert.match("i-0123456789abcdef0", new RegExp(namePattern));
        assert.doesNotMatch("c-controller-0", new RegExp(namePattern));
    });

    it("are left to the cloud controller, where it runs", () =>
        assert.equal(cleaned({ workerPools, cloudController: true }), undefined));

    it("are none of a cluster without pools", () => assert.equal(cleaned({}), undefined));

    it("are the same where nothing gets out: an endpoint leads to EC2", () =>
        assert.deepEqual(cleaned(noWayOut), cleaned({ workerPools })));
});
