import assert from "node:assert/strict";
import { resolveCluster } from "../../../../cluster/resolve";
import { NodeCleaning } from "../../../../components/in-cluster/nodes";
import { deploy } from "../../deploy";
import { objectsOf, ownership } from "./owned-in-cluster";

describe("the agent that deletes nodes of terminated machines", () => {
    it("runs once it has its permissions and its plan", async () => {
        const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a" }] });
        const cleaned = { namePattern: "^i-.*$", region: "eu-central-1" };
        const { resources } = await deploy(() => new NodeCleaning("c", { cluster, cleaned, ...ownership() }));
        const objects = objectsOf(resources);
        const deployment = objects.find(({ type }) => type.endsWith(":Deployment"))!;
        const others = objects.filter((each) => each !== deployment).map(({ name }) => name);
        assert.equal(others.length, 6);
        assert.deepEqual([...deployment.dependsOn].sort(), others.sort());
    });
});
