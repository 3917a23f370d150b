import assert from "node:assert/strict";
import { requireHome } from "../../../../../components/aws/machines/controllers";
import type { ZoneLetter } from "../../../../../components/aws/network/subnets";

const places = (zones: readonly ZoneLetter[], region = "eu-central-1") => ({ region, zones });

describe("the place of a controller", () => {
    it("may be in any of the zones, whatever their order", () => {
        assert.equal(requireHome("c-controller-1", "eu-central-1b", places(["c", "b"])), "eu-central-1b");
    });

    it("keeps its zone among the cluster's", () => {
        assert.throws(() => requireHome("c-controller-2", "eu-central-1c", places(["a", "b"])), {
            message: "zones must include c, where c-controller-2 is (got a, b)",
        });
    });

    it("keeps its region", () => {
        assert.throws(() => requireHome("c-controller-0", "eu-central-1a", places(["a"], "us-east-1")), {
            message: "region cannot be changed after creation (c-controller-0 is in eu-central-1a, got us-east-1)",
        });
    });

    it("is the owner's matter in a VPC that was there", () => {
        const subnets = { subnetIds: ["subnet-1"], loadBalancerSubnetIds: ["subnet-1"] };
        const existing = { vpcId: "vpc-1", ...subnets, securityGroupIds: [] };
        const aws = { ...places([]), existing };
        assert.equal(requireHome("c-controller-0", "eu-central-1a", aws), "eu-central-1a");
    });
});
