import assert from "node:assert/strict";
import { cloudControllerRights } from "../../../../../components/aws/iam/cloud-controller-rights";
import { autoscalerRights, csiDriverRights } from "../../../../../components/aws/iam/driver-rights";
import { policy } from "../../../../../components/aws/iam/policy";

const region = "eu-central-1";

describe("the rights of cluster-autoscaler", () => {
    it("change groups alone that scale, of this cluster", () => {
        const [, changes, ...others] = autoscalerRights({ cluster: "c", region });
        assert.deepEqual(others, []);
        assert.deepEqual(changes!.condition, {
            StringEquals: {
                "aws:ResourceTag/k8s.io/cluster-autoscaler/enabled": "true",
                "aws:ResourceTag/k8s.io/cluster-autoscaler/c": "owned",
            },
        });
    });

    it("have room with all others in a role, which takes 10240 characters", () => {
        const scope = { cluster: "c".repeat(26), region: "ap-southeast-2", vpcId: "vpc-0123456789abcdef0" };
        const all = [cloudControllerRights(scope), csiDriverRights(scope), autoscalerRights(scope)];
        // Nodes' own is the right to read a folder of a bucket.
        assert.ok(all.map(policy).join("").length < 10_240 - 500);
    });
});
