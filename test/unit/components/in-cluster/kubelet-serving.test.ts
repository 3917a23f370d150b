import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { planProblems } from "../../../../agents/harness/plan";
import { planSchema } from "../../../../agents/nodes/serving-approver/plan";
import { resolveCluster } from "../../../../cluster/resolve";
import { servingInstances } from "../../../../components/aws/in-cluster";
import { KubeletServing } from "../../../../components/in-cluster/nodes";
import { deploy } from "../../deploy";
import { objectsOf, ownership } from "./owned-in-cluster";

describe("the approval of kubelets' server certificates", () => {
    it("runs once the machines are known, whose addresses may be known late", async () => {
        const cluster = resolveCluster({ name: "c", certificates: { kubeletServing: "issued" } });
        const machines = { "c-controller-0": [pulumi.output("10.0.0.11")] };
        const { resources } = await deploy(() => new KubeletServing("c", { cluster, machines, ...ownership() }));
        const objects = objectsOf(resources);
        const deployment = objects.find(({ type }) => type.endsWith(":Deployment"))!;
        const others = objects.filter((each) => each !== deployment).map(({ name }) => name);
        assert.equal(others.length, 7);
        assert.deepEqual([...deployment.dependsOn].sort(), others.sort());
        const told = objects.find(({ name }) => name.endsWith("/serving-approver-machines"))!;
        assert.deepEqual(JSON.parse(told.inputs.data["machines.json"]), { "c-controller-0": ["10.0.0.11"] });
    });

    it("looks up instance addresses in EC2, and trusts the CAs of its node", async () => {
        const cluster = resolveCluster({ name: "c", certificates: { kubeletServing: "issued" } });
        const machines = { "c-controller-0": ["i-0123456789abcdef0"] };
        const pool = { instanceTypes: ["t3.medium"], most: 1, drainSeconds: 300 };
        const instances = servingInstances("c", { region: "eu-central-1", pools: { a: pool } });
        const args = { cluster, machines, instances, ...ownership() };
        const objects = objectsOf((await deploy(() => new KubeletServing("c", args))).resources);
        const program = objects.find(({ inputs }) => inputs.data?.["plan.json"])!;
        const plan = JSON.parse(program.inputs.data["plan.json"]);
        assert.deepEqual(planProblems(plan, planSchema), []);
        assert.deepEqual(plan.instances.groups, ["c-a"]);
        assert.equal(plan.instances.ec2, "https://ec2.eu-central-1.amazonaws.com");
        const deployment = objects.find(({ type }) => type.endsWith(":Deployment"))!;
        assert.match(JSON.stringify(deployment.inputs), /NODE_EXTRA_CA_CERTS/);
    });
});
