import assert from "node:assert/strict";
import { csiDriverPermissions } from "../../../../../components/aws/iam/driver-permissions";

const permissions = csiDriverPermissions({ cluster: "c", region: "eu-central-1" });

describe("the permissions of the CSI driver", () => {
    it("change and create only volumes with the cluster's tag", () => {
        for (const { actions, resources, condition } of permissions) {
            if (actions.every((action) => /:Describe/.test(action))) continue;
            assert.ok(resources && !resources.includes("*"), String(actions));
            assert.match(
                JSON.stringify(condition),
                /Tag\/kubernetes\.io\/cluster\/c":"owned"|"CreateVolume"|"ec2:VolumeIops":"1000000"/,
            );
        }
    });

    it("exclude volumes created by the stack, such as etcd's", () => {
        const onVolumes = permissions.filter(({ actions }) => /Delete|Modify|Detach/.test(actions.join()));
        const [ofVolumes, ofInstances] = onVolumes;
        assert.deepEqual(ofVolumes!.condition!.Null, { "aws:ResourceTag/tradewind.dev/cluster": "true" });
        // Both sides must allow it.
        assert.deepEqual(ofInstances!.resources, ["arn:aws:ec2:eu-central-1:*:instance/*"]);
        assert.deepEqual(ofInstances!.actions, ["ec2:AttachVolume", "ec2:DetachVolume"]);
        assert.equal(onVolumes.length, 2);
    });
});
