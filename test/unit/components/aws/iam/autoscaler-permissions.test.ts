import assert from "node:assert/strict";
import { cloudControllerPermissions } from "../../../../../components/aws/iam/cloud-controller-permissions";
import { autoscalerPermissions, csiDriverPermissions } from "../../../../../components/aws/iam/driver-permissions";
import { policy } from "../../../../../components/aws/iam/policy";

const region = "eu-central-1";

describe("the permissions of cluster-autoscaler", () => {
    it("change only groups of this cluster that scale", () => {
        const [, changes, ...others] = autoscalerPermissions({ cluster: "c", region });
        assert.deepEqual(others, []);
        assert.deepEqual(changes!.condition, {
            StringEquals: {
                "aws:ResourceTag/k8s.io/cluster-autoscaler/enabled": "true",
                "aws:ResourceTag/k8s.io/cluster-autoscaler/c": "owned",
            },
        });
    });

    it("fit with all others in a role, which is limited to 10240 characters", () => {
        const scope = { cluster: "c".repeat(26), region: "ap-southeast-2", vpcId: "vpc-0123456789abcdef0" };
        const all = [cloudControllerPermissions(scope), csiDriverPermissions(scope), autoscalerPermissions(scope)];
        // Nodes have permission to read a folder of a bucket.
        assert.ok(all.map(policy).join("").length < 10_240 - 500);
    });
});
