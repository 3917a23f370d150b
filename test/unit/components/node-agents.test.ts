import assert from "node:assert/strict";
import { resolveCluster } from "../../../components/cluster/resolve";
import { NodeAgents } from "../../../components/node-agents";
import { deploy } from "../deploy";
import { downloads } from "./fixture";
import { objectsOf, ownership } from "./owned-in-cluster";

describe("the agents of a cluster's nodes", () => {
    it("come pool after pool, the controllers first", async () => {
        const cluster = resolveCluster({ name: "c", workerPools: [{ name: "b" }, { name: "a", count: 3 }] });
        const { resources } = await deploy(
            () => new NodeAgents("c", { cluster, downloads: () => downloads, after: [], ...ownership() }),
        );
        const objects = objectsOf(resources);
        const short = (name: string) => name.replace(/^c\/|kube-system\/|-[0-9a-f]{8,}$/g, "");
        const order = objects.map(({ name, dependsOn }) => [short(name), dependsOn.map(short)]);
        assert.deepEqual(order, [
            ["configmap/node-agent-controller", []],
            ["daemonset/node-agent-controller", ["configmap/node-agent-controller"]],
            ["configmap/node-agent-b", ["daemonset/node-agent-controller"]],
            ["daemonset/node-agent-b", ["configmap/node-agent-b"]],
            ["configmap/node-agent-a", ["daemonset/node-agent-b"]],
            ["daemonset/node-agent-a", ["configmap/node-agent-a"]],
        ]);
    });
});
