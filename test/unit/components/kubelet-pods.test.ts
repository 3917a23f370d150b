import assert from "node:assert/strict";
import { resolveCluster } from "../../../components/cluster/resolve";
import { KubeletPods } from "../../../components/kubelet-pods";
import { deploy } from "../deploy";
import { Made, objectsOf, ownership } from "./owned-in-cluster";

describe("kubelets as pods", () => {
    it("start when hosts' kubelets have the lock, and their script is there", async () => {
        const cluster = resolveCluster({ name: "c", selfHosted: { kubelet: true } });
        const { resources } = await deploy(
            () => new KubeletPods("c", { cluster, after: new Made("node-agents"), ...ownership() }),
        );
        const objects = objectsOf(resources);
        const pods = objects.find(({ type }) => type.endsWith(":DaemonSet"))!;
        const script = objects.find(({ type }) => type.endsWith(":ConfigMap"))!;
        assert.equal(pods.name, "c/daemonset/kube-system/kubelet");
        assert.deepEqual([...pods.dependsOn].sort(), [script.name, "node-agents"].sort());
    });
});
