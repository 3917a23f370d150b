import assert from "node:assert/strict";
import type { AwsOptions } from "../../../../../components/aws/options";
import { resolveAws } from "../../../../../components/aws/resolve";
import { requirePerformance } from "../../../../../simulator/clouds/aws/ebs";
import { deployAws } from "../deploy-aws";

const least = { domain: "example.com", region: "eu-central-1" };
const kmsKeyId = "arn:aws:kms:eu-central-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef";

describe("the disks of instances on AWS", () => {
    const refused: [string, Partial<AwsOptions>, RegExp][] = [
        ["a type that is none", { controllers: { diskType: "st1" } }, /^controllers\.diskType must be one of gp3, /],
        [
            "more IOPS than the size allows",
            { controllers: { diskIops: 15_001 } },
            /^controllers\.diskIops must be a whole number from 3000 to 15000 with gp3, which is the limit of 30 GiB \(got 15001\)$/,
        ],
        [
            "more IOPS than any volume of the type has",
            { workerPools: [{ name: "a", diskSize: 1000, diskIops: 80_001 }] },
            /^workerPools\[0\]\.diskIops must be a whole number from 3000 to 80000 with gp3 \(got 80001\)$/,
        ],
        ["fewer IOPS than the base", { controllers: { diskIops: 100 } }, /^controllers\.diskIops must be .* 3000 /],
        [
            "more throughput than the IOPS allow",
            { controllers: { etcdDiskThroughput: 751 } },
            /^controllers\.etcdDiskThroughput must be .* from 125 to 750 with gp3, which is the limit of 3000 IOPS \(got 751\)$/,
        ],
        ["io2 without IOPS", { controllers: { etcdDiskType: "io2" } }, /^io2 requires controllers\.etcdDiskIops$/],
        [
            "io1 with more than 50 IOPS per GiB",
            { controllers: { etcdDiskType: "io1", etcdDiskIops: 1001 } },
            /^controllers\.etcdDiskIops must be .* from 100 to 1000 with io1, which is the limit of 20 GiB \(got 1001\)$/,
        ],
        [
            "throughput of another type than gp3",
            { controllers: { diskType: "gp2", diskThroughput: 250 } },
            /^controllers\.diskThroughput conflicts with gp2 \(got 250\)$/,
        ],
        [
            "IOPS of gp2",
            { controllers: { diskType: "gp2", diskIops: 3000 } },
            /^controllers\.diskIops conflicts with gp2 \(got 3000\)$/,
        ],
        [
            "an alias of a key",
            { kmsKeyId: "alias/ebs" },
            /^kmsKeyId must be the ARN of a KMS key in eu-central-1, such as arn:aws:kms:eu-central-1:.* \(got alias\/ebs\)$/,
        ],
        ["a key elsewhere", { kmsKeyId: kmsKeyId.replace("central", "west") }, /^kmsKeyId must be .* in eu-central-1/],
        [
            "credits of instances without them",
            { controllers: { instanceType: "m7i.large", cpuCredits: "standard" } },
            /^controllers\.cpuCredits conflicts with m7i\.large: only t2, t3, t3a and t4g have CPU credits \(got standard\)$/,
        ],
        [
            "credits of a pool that may have other instances",
            { workerPools: [{ name: "a", instanceTypes: ["t3.large", "m7i.large"], cpuCredits: "standard" }] },
            /^workerPools\[0\]\.cpuCredits conflicts with m7i\.large/,
        ],
        ["credits that are none", { controllers: { cpuCredits: "many" } }, /^controllers\.cpuCredits must be one of/],
    ];
    for (const [what, options, message] of refused) {
        it(`do not have ${what}`, () => {
            assert.throws(
                () => resolveAws("c", { ...least, ...options }),
                (error: Error) => {
                    assert.match(error.message, message);
                    return true;
                },
            );
        });
    }

    it("have the performance that is given, within the limits that EC2 enforces", () => {
        const { aws } = resolveAws("c", {
            ...least,
            controllers: {
                ...{ diskSize: 160, diskIops: 80_000, diskThroughput: 2000 },
                ...{ etcdDiskSize: 40, etcdDiskType: "io2", etcdDiskIops: 40_000 },
            },
        });
        const { disk } = aws.instances.controller!;
        assert.deepEqual(disk, { type: "gp3", size: 160, iops: 80_000, throughput: 2000 });
        assert.deepEqual(aws.etcdDisk, { type: "io2", size: 40, iops: 40_000 });
        assert.doesNotThrow(() => requirePerformance(disk));
        assert.doesNotThrow(() => requirePerformance(aws.etcdDisk));
    });

    it("and their instances have what the options say, and an etcd volume never gets another key", async () => {
        const { resources } = await deployAws({
            kmsKeyId,
            controllers: { cpuCredits: "standard", diskIops: 4000, etcdDiskIops: 6000, etcdDiskThroughput: 500 },
            workerPools: [{ name: "a", diskType: "io2", diskIops: 5000, cpuCredits: "unlimited" }],
        });
        const one = (type: string) => resources.find((each) => each.type.endsWith(`:${type}`))!;
        const controller = one("Instance");
        assert.deepEqual(controller.inputs.creditSpecification, { cpuCredits: "standard" });
        const { tags: _, ...root } = controller.inputs.rootBlockDevice;
        assert.deepEqual(root, { volumeType: "gp3", volumeSize: 30, iops: 4000, kmsKeyId, encrypted: true });
        assert.ok(controller.opts.ignoreChanges!.includes("rootBlockDevice.kmsKeyId"));
        const volume = one("Volume");
        const { type, size, iops, throughput } = volume.inputs;
        assert.deepEqual([type, size, iops, throughput, volume.inputs.kmsKeyId], ["gp3", 20, 6000, 500, kmsKeyId]);
        assert.ok(volume.opts.ignoreChanges!.includes("kmsKeyId"));
        const template = one("LaunchTemplate").inputs;
        assert.deepEqual(template.creditSpecification, { cpuCredits: "unlimited" });
        assert.deepEqual(template.blockDeviceMappings[0].ebs, {
            ...{ volumeType: "io2", volumeSize: 30, iops: 5000, kmsKeyId },
            ...{ encrypted: "true", deleteOnTermination: "true" },
        });
    });

    it("share their key with the storage class and the bucket of snapshots, whose users may use it", async () => {
        const { resources } = await deployAws({ kmsKeyId, csiDriver: true, snapshotBucket: { name: "acme-c" } });
        const encryption = resources.find(
            ({ name, type }) => name === "c-snapshots" && type.endsWith("ServerSideEncryptionConfiguration"),
        )!;
        assert.deepEqual(encryption.inputs.rules, [
            {
                applyServerSideEncryptionByDefault: { sseAlgorithm: "aws:kms", kmsMasterKeyId: kmsKeyId },
                bucketKeyEnabled: true,
            },
        ]);
        const onKey = (name: string) =>
            JSON.parse(resources.find((each) => each.name === name)!.inputs.policy)
                .Statement.filter(({ Resource }: { Resource: string[] }) => Resource.includes(kmsKeyId))
                .map(({ Action, Condition }: { Action: string[]; Condition: object }) => [Action, Condition]);
        const through = (service: string) => ({
            StringEquals: { "kms:ViaService": `${service}.eu-central-1.amazonaws.com` },
        });
        assert.deepEqual(onKey("c-etcd-keeper"), [[["kms:Decrypt", "kms:GenerateDataKey"], through("s3")]]);
        assert.deepEqual(onKey("c-csi-driver"), [
            [
                ["kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKeyWithoutPlaintext", "kms:ReEncrypt*"],
                through("ec2"),
            ],
            [["kms:CreateGrant"], { ...through("ec2"), Bool: { "kms:GrantIsForAWSResource": "true" } }],
        ]);
        const storageClass = resources.find(({ type }) => type.includes("StorageClass"))!;
        assert.deepEqual(storageClass.inputs.parameters, { type: "gp3", encrypted: "true", kmsKeyId });
    });
});
