import assert from "node:assert/strict";
import {
    csiDriverPermissions,
    volumeKeyPermissions,
    volumeSnapshotPermissions,
} from "../../../../../components/aws/iam/driver-permissions";

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

    it("take snapshots of the cluster's volumes, not of etcd's, and restore and delete only such ones", () => {
        const ofSnapshots = volumeSnapshotPermissions({ cluster: "c", region: "eu-central-1" });
        for (const { actions, resources, condition } of ofSnapshots.slice(1)) {
            assert.match(
                JSON.stringify(condition),
                /Tag\/kubernetes\.io\/cluster\/c":"owned"|"CreateSnapshot"/,
                actions.join(),
            );
            if (resources!.some((arn) => arn.includes("volume/")))
                assert.deepEqual(condition!.Null, { "aws:ResourceTag/tradewind.dev/cluster": "true" });
        }
    });

    it("use a key through EC2 only, in every partition", () => {
        const key = "arn:aws:kms:eu-central-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef";
        for (const [region, service] of [
            ["eu-central-1", "ec2.eu-central-1.amazonaws.com"],
            ["cn-north-1", ["ec2.cn-north-1.amazonaws.com", "ec2.cn-north-1.amazonaws.com.cn"]],
        ] as const) {
            for (const { resources, condition } of volumeKeyPermissions(key, region)) {
                assert.deepEqual(resources, [key]);
                assert.deepEqual(condition!.StringEquals, { "kms:ViaService": service });
            }
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
