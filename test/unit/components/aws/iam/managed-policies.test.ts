import assert from "node:assert/strict";
import { resolveAws } from "../../../../../components/aws/resolve";
import { deployAws } from "../deploy-aws";

const least = { domain: "example.com", region: "eu-central-1" };
const backup = "arn:aws:iam::123456789012:policy/team/backup";
const shells = "arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore";
const permissionsBoundary = "arn:aws:iam::123456789012:policy/boundary";

describe("managed policies of instances on AWS", () => {
    it("are attached per pool, and a boundary limits every role", async () => {
        const { resources, result } = await deployAws({
            permissionsBoundary,
            sessionManager: true,
            controllers: { policies: [backup] },
            workerPools: [{ name: "a" }],
        });
        const attached = resources.filter(({ type }) => type.endsWith(":RolePolicyAttachment"));
        assert.deepEqual(
            attached.map(({ name, inputs }) => [name, inputs.role, inputs.policyArn]),
            [
                ["c-controller-backup", "c-controller-1a2b3c4", backup],
                ["c-controller-AmazonSSMManagedInstanceCore", "c-controller-1a2b3c4", shells],
                ["c-a-AmazonSSMManagedInstanceCore", "c-a-1a2b3c4", shells],
            ],
        );
        const roles = resources.filter(({ type }) => type === "aws:iam/role:Role");
        assert.deepEqual(
            roles.map(({ name, inputs }) => [name, inputs.permissionsBoundary]),
            [
                ["c-controller", permissionsBoundary],
                ["c-a", permissionsBoundary],
            ],
        );
        assert.deepEqual(Object.keys(result.roleArns), ["controller", "a"]);
    });

    it("do not exist by default", async () => {
        const { resources } = await deployAws({ workerPools: [{ name: "a" }] });
        assert.ok(resources.every(({ type }) => !type.endsWith(":RolePolicyAttachment")));
        for (const { inputs } of resources.filter(({ type }) => type === "aws:iam/role:Role")) {
            assert.equal(inputs.permissionsBoundary, undefined);
        }
    });

    it("are those of the region's partition", () => {
        const { aws } = resolveAws("c", {
            ...least,
            region: "us-gov-west-1",
            image: "ami-0123456789abcdef0",
            sessionManager: true,
        });
        assert.deepEqual(aws.instances.controller!.policies, [shells.replace("arn:aws:", "arn:aws-us-gov:")]);
    });

    const refused: [string, object, RegExp][] = [
        [
            "a name",
            { workerPools: [{ name: "a", policies: ["backup"] }] },
            /^workerPools\[0\]\.policies\[0\] must be the ARN of an IAM policy, such as .* \(got backup\)$/,
        ],
        [
            "two policies of one name",
            { controllers: { policies: [backup, backup.replace("team/", "")] } },
            /^controllers\.policies\[1\] must be a policy of another name than those before it \(got/,
        ],
        [
            "more than IAM attaches",
            { controllers: { policies: Array.from({ length: 26 }, (_, index) => `${backup}-${index}`) } },
            /^controllers\.policies must be at most 25 ARNs \(got 26\)$/,
        ],
        ["a boundary that is no policy", { permissionsBoundary: "none" }, /^permissionsBoundary must be the ARN of an/],
        [
            "shells without a way to Systems Manager",
            { sessionManager: true, topology: "private", apiAccess: "internal", natGateways: "none" },
            /^vpcEndpoints must be a list with ssm and ssmmessages for sessionManager \(got \[\]\)$/,
        ],
    ];
    for (const [what, options, message] of refused) {
        it(`are not ${what}`, () => {
            assert.throws(
                () => resolveAws("c", { ...least, ...options }),
                (error: Error) => {
                    assert.match(error.message, message);
                    return true;
                },
            );
        });
    }
});
