import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../../../cluster/model";
import { resolveCluster } from "../../../../cluster/resolve";
import { UpgradeOrder } from "../../../../cluster/upgrades/order";
import { NodeAgents } from "../../../../components/in-cluster/nodes";
import { type Deployed, deploy } from "../../deploy";
import { downloads } from "./fixture";
import { Created, objectsOf, ownership } from "./owned-in-cluster";

/** What they are in the cluster. @param isNew - whether the same `up` has started it */
async function agentsOf(cluster: Cluster, isNew = false) {
    const { resources } = await deploy(() => {
        const order = new UpgradeOrder<pulumi.Resource>(undefined, Promise.resolve(isNew));
        order.add("addons", new Created("add-ons"));
        return new NodeAgents("c", { cluster, downloads: () => downloads, order, ...ownership() });
    });
    return objectsOf(resources);
}

/** Names of objects, with those of what each waits for. */
function orderOf(objects: readonly Deployed[]) {
    const short = (name: string) => name.replace(/^c\/|kube-system\/|-[0-9a-f]{8,}$/g, "");
    return objects.map(({ name, dependsOn }) => [short(name), dependsOn.map(short)]);
}

describe("the agents of a cluster's nodes", () => {
    it("are updated pool by pool, controllers first", async () => {
        const cluster = resolveCluster({ name: "c", workerPools: [{ name: "b" }, { name: "a", count: 3 }] });
        assert.deepEqual(orderOf(await agentsOf(cluster)), [
            ["configmap/node-agent-controller", ["add-ons"]],
            ["daemonset/node-agent-controller", ["configmap/node-agent-controller"]],
            ["configmap/node-agent-b", ["daemonset/node-agent-controller"]],
            ["daemonset/node-agent-b", ["configmap/node-agent-b"]],
            ["configmap/node-agent-a", ["daemonset/node-agent-b"]],
            ["daemonset/node-agent-a", ["configmap/node-agent-a"]],
        ]);
    });

    it("start in all pools at once in a new cluster, each once its program exists", async () => {
        const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a" }] });
        assert.deepEqual(orderOf(await agentsOf(cluster, true)).sort(), [
            ["configmap/node-agent-a", []],
            ["configmap/node-agent-controller", []],
            ["daemonset/node-agent-a", ["configmap/node-agent-a"]],
            ["daemonset/node-agent-controller", ["configmap/node-agent-controller"]],
        ]);
    });

    it("upgrade as many nodes of a pool at once as allowed, with enough time", async () => {
        const workerPools = [
            { name: "a", count: 5, maxUnavailable: 2 },
            { name: "b", count: 205, maxUnavailablePercentage: 10 },
        ];
        const cluster = resolveCluster({
            name: "c",
            controllers: { count: 3 },
            workerPools,
            rolloutTimeout: "1m",
            network: { podCidr: "10.0.0.0/12", serviceCidr: "172.20.0.0/16" },
        });
        const sets = (await agentsOf(cluster)).filter(({ type }) => type.endsWith(":DaemonSet"));
        const found = sets.map(({ inputs, opts }) => [
            inputs.spec.updateStrategy.rollingUpdate.maxUnavailable,
            (opts as pulumi.CustomResourceOptions).customTimeouts?.update,
        ]);
        assert.deepEqual(found, [
            [1, "180s"],
            [2, "180s"],
            // 21 at a time: the DaemonSet rounds up.
            ["10%", "600s"],
        ]);
    });

    it("have enough time in a pool with the name of what every object has", async () => {
        const cluster = resolveCluster({ name: "c", workerPools: [{ name: "constructor" }], rolloutTimeout: "1m" });
        const groups = { namePattern: "^i-", max: {}, departures: {} };
        const { resources } = await deploy(() => {
            const order = new UpgradeOrder<pulumi.Resource>(undefined, Promise.resolve(true));
            return new NodeAgents("c", { cluster, downloads: () => downloads, groups, order, ...ownership() });
        });
        const sets = objectsOf(resources).filter(({ type }) => type.endsWith(":DaemonSet"));
        const timeouts = sets.map(({ opts }) => (opts as pulumi.CustomResourceOptions).customTimeouts);
        assert.deepEqual(timeouts, Array(2).fill({ create: "60s", update: "60s" }));
    });

    it("may take the pool's drain timeout per node, which is added to the rollout timeout", async () => {
        const workerPools = [
            { name: "slow", count: 3, maxUnavailable: 2, drainTimeout: "15m" },
            { name: "quick", count: 2, drainTimeout: "30s" },
        ];
        const cluster = resolveCluster({ name: "c", workerPools, rolloutTimeout: "1m" });
        const objects = await agentsOf(cluster);
        const sets = objects.filter(({ type }) => type.endsWith(":DaemonSet"));
        const timeouts = sets.map(({ opts }) => (opts as pulumi.CustomResourceOptions).customTimeouts);
        assert.deepEqual(timeouts, [
            { create: "60s", update: "60s" },
            { create: "660s", update: "1320s" },
            { create: "60s", update: "120s" },
        ]);
        const configs = objects.filter(({ type }) => type.endsWith(":ConfigMap"));
        const limits = configs.map(({ inputs }) => JSON.parse(inputs.data["plan.json"]).limits);
        assert.deepEqual(limits, [undefined, { drain: 900 }, { drain: 30 }]);
    });
});
