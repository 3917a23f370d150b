import assert from "node:assert/strict";
import type { AwsClusterArgs } from "../../../../../components/aws/cluster";
import { mostInlinePolicies } from "../../../../../simulator/clouds/aws/identity";
import type { Deployed } from "../../../deploy";
import { deployAws } from "../deploy-aws";

const tag = "kubernetes.io/cluster/c";
const workerPools = [{ name: "a" }];

describe("a cluster on AWS with the AWS controllers", function () {
    this.timeout(60_000);
    const create = async (options: Partial<AwsClusterArgs>) => (await deployAws({ workerPools, ...options })).resources;
    const ofType = (resources: readonly Deployed[], type: string) =>
        resources.filter((each) => each.type.endsWith(`:${type}`));

    it("gives their permissions to controllers only", async () => {
        const policies = ofType(await create({ cloudController: true, csiDriver: true }), "RolePolicy");
        const byRole = policies.map(({ name, inputs }) => `${inputs.role}: ${name}`).sort();
        assert.deepEqual(byRole, [
            "c-a-id: c-a",
            "c-controller-id: c-cloud-controller",
            "c-controller-id: c-controller",
            "c-controller-id: c-csi-driver",
            "c-controller-id: c-node-approver",
            "c-controller-id: c-serving-approver",
        ]);
    });

    it("lets the agent that repairs machines restart and terminate what has the cluster's tag, if it is turned on", async () => {
        const [own, ...others] = ofType(await create({ repair: {} }), "RolePolicy").filter(({ name }) =>
            name.endsWith("-node-repairer"),
        );
        assert.deepEqual([own!.inputs.role, others.length], ["c-controller-id", 0]);
        const { Statement } = JSON.parse(own!.inputs.policy);
        const changes = Statement.filter(({ Action }: { Action: string[] }) => !Action[0]!.includes(":Describe"));
        assert.deepEqual(
            changes.map(({ Action, Condition }: { Action: string[]; Condition: object }) => [Action, Condition]),
            ["ec2:RebootInstances", "autoscaling:TerminateInstanceInAutoScalingGroup"].map((action) => [
                [action],
                { StringEquals: { [`aws:ResourceTag/${tag}`]: "owned" } },
            ]),
        );
    });

    it("keeps below IAM's limit for the inline policies of a role, with every option", async () => {
        const resources = await create({
            ...{ cloudController: true, csiDriver: true, volumeSnapshots: true, autoscaler: true },
            ...{ sessionManager: true, ecrPulls: true, topology: "private" },
            repair: {},
            snapshotBucket: { name: `a${"-bucket".repeat(8)}` },
            kmsKeyId: "arn:aws:kms:eu-central-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef",
            workerPools: [{ name: "a", min: 0, max: 9 }],
        } as Partial<AwsClusterArgs>);
        const sizes = new Map<string, number>();
        for (const { inputs } of ofType(resources, "RolePolicy")) {
            const size = String(inputs.policy).replaceAll(/\s/g, "").length;
            sizes.set(inputs.role, (sizes.get(inputs.role) ?? 0) + size);
        }
        for (const [role, size] of sizes) assert.ok(size <= mostInlinePolicies, `${role}: ${size}`);
        assert.ok(sizes.get("c-controller-id")! > 5_000, String(sizes.get("c-controller-id")));
    });

    it("has one group with the cluster's tag on each instance, as the cloud controller requires", async () => {
        const resources = await create({ cloudController: true });
        const tagged = ofType(resources, "SecurityGroup").filter(({ inputs }) => inputs.tags[tag] === "owned");
        const ids = tagged.map(({ name }) => `${name}-id`);
        for (const { name, inputs } of [...ofType(resources, "Instance"), ...ofType(resources, "LaunchTemplate")]) {
            const groups: string[] = inputs.vpcSecurityGroupIds;
            assert.equal(groups.filter((id) => ids.includes(id)).length, 1, name);
        }
    });

    it("has none of them by default, except for the agents that find terminated instances and approve certificates", async () => {
        const resources = await create({});
        const policies = ofType(resources, "RolePolicy");
        assert.deepEqual(policies.map(({ name, inputs }) => `${inputs.role}: ${name}`).sort(), [
            "c-a-id: c-a",
            "c-controller-id: c-controller",
            "c-controller-id: c-node-approver",
            "c-controller-id: c-node-cleaner",
            "c-controller-id: c-serving-approver",
        ]);
        const { Statement } = JSON.parse(policies.find(({ name }) => name === "c-node-cleaner")!.inputs.policy);
        assert.deepEqual(Statement, [{ Effect: "Allow", Action: ["ec2:DescribeInstances"], Resource: ["*"] }]);
        assert.ok(ofType(resources, "SecurityGroup").every(({ inputs }) => inputs.tags[tag] === "owned"));
        assert.ok(resources.every(({ type }) => !type.endsWith(":CloudAddons")));
        const configs = ofType(resources, "BucketObjectv2").map(({ inputs }) => String(inputs.content));
        assert.ok(configs.every((content) => !content.includes("cloud-identity")));
    });
});
