import assert from "node:assert/strict";
import { cloudControllerRights } from "../../../../components/aws/iam/cloud-controller-rights";
import { autoscalerRights, csiDriverRights } from "../../../../components/aws/iam/driver-rights";
import { instanceRights } from "../../../../dev/reference/rights-of-instances";

describe("what instances may ask of AWS", () => {
    const rows = instanceRights();

    it("is told of each policy, with its resources and its conditions in words", () => {
        assert.deepEqual(rows.slice(0, 2), [
            ["every instance", "always", "`s3:GetObject`", "`<own bucket>/nodes/<pool>/*`", ""],
            ["workers of pools", "`pools`", "`autoscaling:CompleteLifecycleAction`", "their own group", ""],
        ]);
        const deletes = rows.find(([, , may]) => may === "`ec2:DeleteSecurityGroup`");
        assert.deepEqual(deletes?.slice(3), ["security groups", "has the cluster's tag, not created by the stack"]);
    });

    it("has every action of every policy", () => {
        const scope = { cluster: "c", region: "r", vpcId: "v" };
        const said = rows.map(([, , may]) => may).join();
        for (const { actions } of [cloudControllerRights, csiDriverRights, autoscalerRights].flatMap((of) => of(scope)))
            for (const action of actions) assert.ok(said.includes(`\`${action}\``), action);
        assert.ok(said.includes("`s3:PutObject`"));
    });
});
