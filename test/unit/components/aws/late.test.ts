import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { AwsClusterArgs } from "../../../../components/aws/cluster";
import { deployAws } from "./deploy-aws";

type Value = pulumi.Input<string>;

/** Everything that may come from other resources, as plain values or as something else. */
function args(late: (value: string) => Value): Partial<AwsClusterArgs> {
    return {
        topology: "private",
        apiAccess: "internal",
        privateZone: late("ZTHEIRS"),
        vpcId: late("vpc-0123456789abcdef0"),
        vpcCidr: "10.40.0.0/16",
        subnetIds: [late("subnet-a000001a"), late("subnet-a000002b")],
        loadBalancerSubnetIds: [late("subnet-a000003a")],
        securityGroupIds: [late("sg-0123456789abcdef0")],
        kmsKeyId: late("arn:aws:kms:eu-central-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef"),
        permissionsBoundary: late("arn:aws:iam::123456789012:policy/limit"),
        image: late("ami-0123456789abcdef0"),
        inboundRules: [
            { ports: "9100", from: late("sg-0123456789abcde10") },
            { ports: "9100", from: late("sg-0123456789abcde20") },
            { ports: "9100", from: "nodes" },
        ],
        tags: { team: late("infra"), plain: "yes" },
        controllers: { policies: [late("arn:aws:iam::123456789012:policy/backup")] },
        workerPools: [{ name: "w", image: late("ami-0123456789abcdef0"), policies: [] }],
        csiDriver: true,
        sessionManager: true,
        snapshotBucket: { name: "acme-c" },
    };
}

/** Resources whose names contain a value. */
const named = /^c-controller-(backup|policy-0)$|^c-nodes-own-tcp-9100-(?!nodes)/;

describe("a cluster on AWS whose arguments come from other resources", () => {
    const describeAll = ({ resources }: Awaited<ReturnType<typeof deployAws>>) => {
        const all = resources.map(({ type, name, inputs, dependsOn }) => ({
            ...{ type, inputs: JSON.parse(JSON.stringify(inputs).replaceAll(/-9100-(group-\d|sg-\w+)/g, "")) },
            name: named.test(name) ? "" : name,
            dependsOn: [...dependsOn].sort(),
        }));
        const key = ({ type, name, inputs }: (typeof all)[number]) => `${type} ${name} ${JSON.stringify(inputs)}`;
        return all.sort((one, other) => (key(one) < key(other) ? -1 : 1));
    };

    it("has the same resources as with plain values", async () => {
        const plain = describeAll(await deployAws(args((value) => value)));
        const late = describeAll(await deployAws(args((value) => pulumi.output(value))));
        assert.ok(plain.length > 100);
        assert.deepEqual(late, plain);
        const later = describeAll(await deployAws(args((value) => Promise.resolve(value))));
        assert.deepEqual(later, plain);
    });

    it("has the same names in a preview that knows none of them", async () => {
        const namesOf = ({ resources }: Awaited<ReturnType<typeof deployAws>>) =>
            resources.map(({ name }) => (named.test(name) ? "" : name)).sort();
        const unknown = () => pulumi.unknown as unknown as Value;
        const plain = namesOf(
            await deployAws(
                args((value) => value),
                true,
            ),
        );
        const late = namesOf(
            await deployAws(
                args(() => pulumi.output(unknown())),
                true,
            ),
        );
        assert.deepEqual(late, plain);
    });

    it("numbers rules and policies, whose groups and ARNs are not known when they get their names", async () => {
        const { resources } = await deployAws(args((value) => pulumi.output(value)));
        const names = resources.map(({ name }) => name).filter((name) => named.test(name));
        assert.deepEqual(names.sort(), [
            ...["c-controller-policy-0", "c-nodes-own-tcp-9100-group-0", "c-nodes-own-tcp-9100-group-1"],
        ]);
    });

    const wrong: readonly (readonly [Partial<AwsClusterArgs>, RegExp])[] = [
        [{ vpcId: pulumi.output("vpc") }, /vpcId must be a VPC id, such as .* \(got vpc\)$/],
        [{ subnetIds: [pulumi.output("a")] }, /subnetIds\[0\] must be a subnet id, such as .* \(got a\)$/],
        [{ kmsKeyId: pulumi.output("alias/ebs") }, /kmsKeyId must be the ARN of a KMS key .* \(got alias\/ebs\)$/],
        [
            { permissionsBoundary: pulumi.output("x") },
            /permissionsBoundary must be the ARN of an IAM policy.* \(got x\)$/,
        ],
        [{ image: pulumi.output("flatcar-stable") }, /image must be an AMI id, such as .* \(got flatcar-stable\)$/],
        [{ tags: { team: pulumi.output("a\nb") } }, /tags\.team must be a tag value that AWS accepts \(got a/],
        [
            { inboundRules: [{ ports: "1", from: pulumi.output("10.0.0.0/8") }] },
            /inboundRules\[0\]\.from must be a security group's id \(got 10\.0\.0\.0\/8\)$/,
        ],
        [
            { controllers: { policies: [pulumi.output("backup")] } },
            /controllers\.policies\[0\] must be the ARN of an IAM policy, .* \(got backup\)$/,
        ],
    ];
    for (const [option, message] of wrong) {
        it(`is refused as soon as the value is known: ${Object.keys(option)}`, async () => {
            await assert.rejects(deployAws({ ...args((value) => value), ...option }), { message });
        });
    }
});
