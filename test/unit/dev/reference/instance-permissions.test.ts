import assert from "node:assert/strict";
import { cloudControllerPermissions } from "../../../../components/aws/iam/cloud-controller-permissions";
import { autoscalerPermissions, csiDriverPermissions } from "../../../../components/aws/iam/driver-permissions";
import { instancePermissions } from "../../../../dev/reference/instance-permissions";

describe("AWS permissions of instances", () => {
    const rows = instancePermissions();

    it("are listed for each policy, with resources and readable conditions", () => {
        assert.deepEqual(rows.slice(0, 2), [
            ["every instance", "always", "`s3:GetObject`", "`<own bucket>/nodes/<pool>/*`", ""],
            ["workers of pools", "`workerPools`", "`autoscaling:CompleteLifecycleAction`", "their own group", ""],
        ]);
        const deletes = rows.find(([, , may]) => may === "`ec2:DeleteSecurityGroup`");
        assert.deepEqual(deletes?.slice(3), ["security groups", "has the cluster's tag, not created by the stack"]);
    });

    it("contain every action of every policy", () => {
        const scope = { cluster: "c", region: "r", vpcId: "v" };
        const said = rows.map(([, , may]) => may).join();
        for (const { actions } of [cloudControllerPermissions, csiDriverPermissions, autoscalerPermissions].flatMap(
            (of) => of(scope),
        ))
            for (const action of actions) assert.ok(said.includes(`\`${action}\``), action);
        assert.ok(said.includes("`s3:PutObject`"));
    });
});
