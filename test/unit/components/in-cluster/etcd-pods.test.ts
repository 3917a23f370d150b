import assert from "node:assert/strict";
import { resolveCluster } from "../../../../cluster/resolve";
import { EtcdPods } from "../../../../components/in-cluster/etcd";
import { deploy } from "../../deploy";
import { Created, objectsOf, ownership } from "./owned-in-cluster";

describe("etcd's members as pods", () => {
    it("start once members are admitted and the program exists, with enough time to roll out one by one", async () => {
        const cluster = resolveCluster({ name: "c", controllers: { count: 3 }, selfHosted: { etcd: true } });
        const { resources } = await deploy(
            () => new EtcdPods("c", { cluster, after: [new Created("members")], ...ownership() }),
        );
        const objects = objectsOf(resources);
        const pods = objects.find(({ type }) => type.endsWith(":DaemonSet"))!;
        const program = objects.find(({ type }) => type.endsWith(":ConfigMap"))!;
        assert.equal(pods.name, "c/daemonset/kube-system/etcd");
        assert.deepEqual([...pods.dependsOn].sort(), [program.name, "members"].sort());
        assert.deepEqual(pods.opts.customTimeouts, { create: "300s", update: "900s" });
    });
});
