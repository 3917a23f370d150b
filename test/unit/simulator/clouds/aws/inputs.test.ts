import assert from "node:assert/strict";
import { types } from "../../../../../simulator/clouds/aws/types";
import { checkInputs, diffInputs } from "../../../../../simulator/clouds/shared/inputs";
import { UNKNOWN } from "../../../../../simulator/plugins/protocol/serve";
import { good } from "./good-inputs";

const inputsOf = (name: string) => types[`aws:${name}`]!.inputs;
const mixed = {
    launchTemplate: {
        launchTemplateSpecification: { launchTemplateId: "lt-0123456789abcdef0", version: "1" },
        overrides: [{ instanceType: "m7i.large" }, { instanceType: "m6i.large" }],
    },
    instancesDistribution: {
        onDemandAllocationStrategy: "prioritized",
        onDemandBaseCapacity: 1,
        onDemandPercentageAboveBaseCapacity: 0,
        spotAllocationStrategy: "price-capacity-optimized",
    },
};

describe("the inputs of the simulated AWS", () => {
    it("are tested for every type", () => {
        assert.deepEqual(
            Object.keys(good).sort(),
            Object.keys(types)
                .map((token) => token.slice("aws:".length))
                .sort(),
        );
    });

    for (const [name, inputs] of Object.entries(good)) {
        it(`of a ${name.split(":")[1]} are accepted, known or not`, () => {
            assert.deepEqual(checkInputs(inputs, inputsOf(name)), []);
            const unknown = Object.fromEntries(Object.keys(inputs).map((key) => [key, UNKNOWN]));
            assert.deepEqual(checkInputs(unknown, inputsOf(name)), []);
        });

        it(`of a ${name.split(":")[1]} are rejected with a property that is not simulated`, () => {
            const failures = checkInputs({ ...inputs, colour: "blue" }, inputsOf(name));
            assert.deepEqual(failures, [{ property: "colour", reason: "colour is not simulated" }]);
        });
    }

    it("of a TargetGroup are accepted with an HTTP or TCP check", () => {
        const times = { interval: 10, timeout: 5, healthyThreshold: 2, unhealthyThreshold: 2 };
        for (const healthCheck of [
            { protocol: "TCP", port: "80", ...times },
            { protocol: "HTTP", port: "10254", path: "/healthz", matcher: "200", ...times },
        ]) {
            const inputs = { ...good["lb/targetGroup:TargetGroup"], port: 80, preserveClientIp: "true", healthCheck };
            assert.deepEqual(checkInputs(inputs, inputsOf("lb/targetGroup:TargetGroup")), []);
        }
    });

    it("of a Group are accepted with several types, spot, a refresh, and tags that do not propagate", () => {
        const { launchTemplate, ...group } = good["autoscaling/group:Group"];
        const inputs = {
            ...group,
            mixedInstancesPolicy: mixed,
            capacityRebalance: true,
            instanceRefresh: { strategy: "Rolling", preferences: { minHealthyPercentage: 100, instanceWarmup: "180" } },
            tags: [{ key: "k8s.io/cluster-autoscaler/enabled", value: "true", propagateAtLaunch: false }],
        };
        assert.deepEqual(checkInputs(inputs, inputsOf("autoscaling/group:Group")), []);
    });

    const refused: [keyof typeof good, Record<string, unknown>, RegExp][] = [
        [
            "ec2/vpc:Vpc",
            { cidrBlock: "10.0.0.0/8" },
            /^cidrBlock must be a block of \/16 to \/28 \(got "10\.0\.0\.0\/8"\)$/,
        ],
        ["ec2/vpc:Vpc", { instanceTenancy: "dedicated" }, /^instanceTenancy is not simulated$/],
        ["ec2/vpc:Vpc", { tags: { "aws:x": "y" } }, /^tags must be at most 50 tags/],
        ["ec2/subnet:Subnet", { vpcId: "vpc" }, /^vpcId must be an id vpc-\.\.\. \(got "vpc"\)$/],
        ["ec2/subnet:Subnet", { availabilityZone: "a" }, /^availabilityZone must be a zone's name \(got "a"\)$/],
        ["ec2/securityGroup:SecurityGroup", { name: "sg-c" }, /^name must be a name that does not begin with sg-/],
        ["vpc/securityGroupIngressRule:SecurityGroupIngressRule", { ipProtocol: "sctp" }, /^ipProtocol must be one of/],
        [
            "vpc/securityGroupIngressRule:SecurityGroupIngressRule",
            { fromPort: 70_000 },
            /^fromPort must be a whole number/,
        ],
        ["lb/loadBalancer:LoadBalancer", { name: "internal-c" }, /^name must be at most 32 letters/],
        ["lb/loadBalancer:LoadBalancer", { name: "c".repeat(33) }, /^name must be at most 32 letters/],
        [
            "lb/targetGroup:TargetGroup",
            { healthCheck: { ...good["lb/targetGroup:TargetGroup"].healthCheck, interval: 1 } },
            /^healthCheck must be of HTTPS at \/readyz on 6443, /,
        ],
        [
            "lb/targetGroup:TargetGroup",
            { healthCheck: { ...good["lb/targetGroup:TargetGroup"].healthCheck, timeout: 5 } },
            /^healthCheck must be of HTTPS .*, and an interval above the timeout \(got /,
        ],
        ["lb/targetGroup:TargetGroup", { preserveClientIp: "yes" }, /^preserveClientIp must be one of true, false/],
        [
            "ec2/instance:Instance",
            { userData: "x".repeat(16_385) },
            /^userData must be at most 16384 bytes \(got 16387 /,
        ],
        [
            "ec2/instance:Instance",
            { userDataBase64: Buffer.alloc(16_385).toString("base64") },
            /^userDataBase64 must be base64 of at most 16384 bytes/,
        ],
        ["ec2/instance:Instance", { privateIp: "fd00::4" }, /^privateIp must be an IPv4 address/],
        [
            "ec2/instance:Instance",
            { metadataOptions: { httpEndpoint: "enabled", httpTokens: "optional", httpPutResponseHopLimit: 1 } },
            /^metadataOptions must be an object of httpEndpoint, httpTokens/,
        ],
        [
            "ec2/instance:Instance",
            { rootBlockDevice: { volumeType: "gp3", volumeSize: 30, encrypted: false } },
            /^rootBlockDevice must be an encrypted volume/,
        ],
        ["ec2/launchTemplate:LaunchTemplate", { userData: "{}" }, /^userData must be base64 of at most 16384 bytes/],
        [
            "ec2/launchTemplate:LaunchTemplate",
            { userData: Buffer.alloc(16_385).toString("base64") },
            /^userData must be base64 of at most 16384 bytes/,
        ],
        ["autoscaling/group:Group", { minSize: -1 }, /^minSize must be a whole number from 0 to 1000 \(got -1\)$/],
        [
            "autoscaling/group:Group",
            { mixedInstancesPolicy: { ...mixed, instancesDistribution: { spotAllocationStrategy: "cheapest" } } },
            /^mixedInstancesPolicy must be a template's id and version, instance types, and how many are on demand/,
        ],
        [
            "autoscaling/group:Group",
            {
                instanceRefresh: {
                    strategy: "Rolling",
                    preferences: { minHealthyPercentage: 50, maxHealthyPercentage: 160 },
                },
            },
            /^instanceRefresh must be of the strategy Rolling/,
        ],
        ["iam/role:Role", { assumeRolePolicy: "{}" }, /^assumeRolePolicy must be a policy of version 2012-10-17/],
        ["iam/rolePolicy:RolePolicy", { policy: "no JSON" }, /^policy must be a policy of version 2012-10-17/],
        ["s3/bucket:Bucket", { bucket: "C" }, /^bucket must be a bucket's name \(got "C"\)$/],
        [
            "s3/bucketObjectv2:BucketObjectv2",
            { serverSideEncryption: undefined },
            /^serverSideEncryption must be one of AES256 \(got nothing\)$/,
        ],
        [
            "s3/bucketObjectv2:BucketObjectv2",
            { tags: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`t${index}`, ""])) },
            /^tags must be at most 10 tags/,
        ],
        ["ebs/volume:Volume", { size: 16_385 }, /^size must be a whole number from 1 to 16384 \(got 16385\)$/],
        ["ebs/volume:Volume", { encrypted: false }, /^encrypted must be one of true \(got false\)$/],
        ["ebs/volume:Volume", { type: "floppy" }, /^type must be one of gp3, gp2, io2, io1 \(got "floppy"\)$/],
        [
            "ec2/volumeAttachment:VolumeAttachment",
            { deviceName: "/dev/xvda" },
            /^deviceName must be a name for data volumes, \/dev\/sdf to \/dev\/sdp \(got "\/dev\/xvda"\)$/,
        ],
        ["route53/record:Record", { type: "CNAME" }, /^type must be one of A, AAAA \(got "CNAME"\)$/],
    ];
    for (const [name, inputs, message] of refused) {
        it(`of a ${name.split(":")[1]} are rejected: ${message.source.slice(1, 60)}`, () => {
            const failures = checkInputs({ ...good[name], ...inputs }, inputsOf(name));
            assert.equal(failures.length, 1);
            assert.match(failures[0]!.reason, message);
        });
    }

    it("replace a resource if the service cannot change it", () => {
        const before = good["ec2/instance:Instance"];
        const after = { ...before, subnetId: "subnet-0123456789abcdef1", instanceType: "t3.large" };
        const { changes } = diffInputs(before, after, types["aws:ec2/instance:Instance"]!.ownership!);
        assert.deepEqual(changes, {
            subnetId: { kind: "update", replace: true },
            instanceType: { kind: "update" },
        });
    });
});
