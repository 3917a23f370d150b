import assert from "node:assert/strict";
import { resolveCluster } from "../../../components/cluster/resolve";
import { NodeApproval } from "../../../components/node-approval";
import { deploy } from "../deploy";
import { objectsOf, ownership } from "./owned-in-cluster";

describe("the approval of nodes", () => {
    it("runs when it has its rights and its plan", async () => {
        const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a" }] });
        const groups = { namePattern: "^i-.*$", max: { a: 2 } };
        const { resources } = await deploy(() => new NodeApproval("c", { cluster, groups, ...ownership() }));
        const objects = objectsOf(resources);
        const deployment = objects.find(({ type }) => type.endsWith(":Deployment"))!;
        const others = objects.filter((each) => each !== deployment).map(({ name }) => name);
        assert.equal(others.length, 5);
        assert.deepEqual([...deployment.dependsOn].sort(), others.sort());
    });
});
