import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { resolveCluster } from "../../../components/cluster/resolve";
import { KubeletServing } from "../../../components/kubelet-serving";
import { deploy } from "../deploy";
import { objectsOf, ownership } from "./owned-in-cluster";

describe("the approval of kubelets' server certificates", () => {
    it("runs when it knows the machines, whose addresses may be known late", async () => {
        const cluster = resolveCluster({ name: "c", certificates: { kubeletServing: "issued" } });
        const machines = { "c-controller-0": [pulumi.output("10.0.0.11")] };
        const { resources } = await deploy(() => new KubeletServing("c", { cluster, machines, ...ownership() }));
        const objects = objectsOf(resources);
        const deployment = objects.find(({ type }) => type.endsWith(":Deployment"))!;
        const others = objects.filter((each) => each !== deployment).map(({ name }) => name);
        assert.equal(others.length, 5);
        assert.deepEqual([...deployment.dependsOn].sort(), others.sort());
        const told = objects.find(({ name }) => name.endsWith("/serving-approver-machines"))!;
        assert.deepEqual(JSON.parse(told.inputs.data["machines.json"]), { "c-controller-0": ["10.0.0.11"] });
    });
});
