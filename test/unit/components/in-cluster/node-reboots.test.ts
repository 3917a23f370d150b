import assert from "node:assert/strict";
import { resolveCluster } from "../../../../cluster/resolve";
import { NodeReboots } from "../../../../components/in-cluster/nodes";
import { deploy } from "../../deploy";
import { objectsOf, ownership } from "./owned-in-cluster";

describe("the reboots of nodes", () => {
    it("are granted by an agent that runs once it has its permissions and its plan", async () => {
        const cluster = resolveCluster({ name: "c", osReboots: { windows: ["Sun 02:00-05:00"] } });
        const reboots = cluster.osReboots!;
        const { resources } = await deploy(() => new NodeReboots("c", { cluster, reboots, ...ownership() }));
        const objects = objectsOf(resources);
        const deployment = objects.find(({ type }) => type.endsWith(":Deployment"))!;
        const others = objects.filter((each) => each !== deployment).map(({ name }) => name);
        assert.equal(others.length, 10);
        assert.deepEqual([...deployment.dependsOn].sort(), others.sort());
    });
});
