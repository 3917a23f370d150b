import assert from "node:assert/strict";
import { resolveCluster } from "../../../../cluster/resolve";
import { KubeletPods } from "../../../../components/in-cluster/nodes";
import { deploy } from "../../deploy";
import { Created, objectsOf, ownership } from "./owned-in-cluster";

describe("kubelets as pods", () => {
    it("start once the hosts' kubelets have the lock and their script exists", async () => {
        const cluster = resolveCluster({ name: "c", selfHosted: { kubelet: true } });
        const { resources } = await deploy(
            () => new KubeletPods("c", { cluster, after: [new Created("node-agents")], ...ownership() }),
        );
        const objects = objectsOf(resources);
        const pods = objects.find(({ type }) => type.endsWith(":DaemonSet"))!;
        const script = objects.find(({ type }) => type.endsWith(":ConfigMap"))!;
        assert.equal(pods.name, "c/daemonset/kube-system/kubelet");
        assert.deepEqual([...pods.dependsOn].sort(), [script.name, "node-agents"].sort());
    });

    it("have time to follow one another, on each node that a pool may have", async () => {
        const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a", count: 2 }, { name: "b" }] });
        const groups = { namePattern: "", max: { b: 5 } };
        const { resources } = await deploy(
            () => new KubeletPods("c", { cluster, groups, after: [new Created("node-agents")], ...ownership() }),
        );
        const pods = objectsOf(resources).find(({ type }) => type.endsWith(":DaemonSet"))!;
        assert.deepEqual(pods.opts.customTimeouts, { create: "300s", update: `${8 * 300}s` });
    });
});
