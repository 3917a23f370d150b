import assert from "node:assert/strict";
import { csiDriverRights } from "../../../../../components/aws/iam/driver-rights";

const rights = csiDriverRights({ cluster: "c", region: "eu-central-1" });

describe("the rights of the driver of volumes", () => {
    it("change nothing that has not the cluster's tag, nor is made with it", () => {
        for (const { actions, resources, condition } of rights) {
            if (actions.every((action) => /:Describe/.test(action))) continue;
            assert.ok(resources && !resources.includes("*"), String(actions));
            assert.match(
                JSON.stringify(condition),
                /Tag\/kubernetes\.io\/cluster\/c":"owned"|"CreateVolume"|"ec2:VolumeIops":"1000000"/,
            );
        }
    });

    it("leave alone what the stack made: etcd's volumes", () => {
        const onVolumes = rights.filter(({ actions }) => /Delete|Modify|Detach/.test(actions.join()));
        const [ofVolumes, ofInstances] = onVolumes;
        assert.deepEqual(ofVolumes!.condition!.Null, { "aws:ResourceTag/tradewind.dev/cluster": "true" });
        // Both sides have to allow it.
        assert.deepEqual(ofInstances!.resources, ["arn:aws:ec2:eu-central-1:*:instance/*"]);
        assert.deepEqual(ofInstances!.actions, ["ec2:AttachVolume", "ec2:DetachVolume"]);
        assert.equal(onVolumes.length, 2);
    });
});
