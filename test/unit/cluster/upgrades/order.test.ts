import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { stepOf, UpgradeOrder, upgradeOrder } from "../../../../cluster/upgrades/order";

describe("the order of an upgrade", () => {
    it("has a step for each workload of the control plane, add-ons and kubelets", () => {
        const cases = [
            ["SelfHosted", "checkpointer", "checkpointer"],
            ["SelfHosted", "kube-apiserver", "apiserver"],
            ["SelfHosted", "kube-scheduler", "controllers"],
            ["Addons", "coredns", "addons"],
            ["CloudAddons", "cluster-autoscaler", "addons"],
            ["NodeAgents", "node-agent-controller", "controllerKubelets"],
            ["NodeAgents", "node-agent-default", "workerKubelets"],
            ["EtcdCare", "etcd-keeper", undefined],
        ] as const;
        for (const [component, workload, step] of cases) assert.equal(stepOf(component, workload), step, workload);
    });

    it("makes a step wait for the nearest earlier one that changes anything", () => {
        const order = new UpgradeOrder<string>();
        assert.deepEqual(order.before("addons"), []);
        order.add("checkpointer", "a", "b");
        order.add("addons", "d");
        assert.deepEqual(order.before("checkpointer"), []);
        assert.deepEqual(order.before("controllers"), ["a", "b"]);
        order.add("apiserver", "c");
        assert.deepEqual(order.before("controllers"), ["c"]);
        assert.deepEqual(order.before("workerKubelets"), ["d"]);
    });

    it("is that of the documentation", () => {
        const text = readFileSync("docs/upgrades.md", "utf8");
        assert.ok(text.replaceAll(/\s+/g, " ").includes(upgradeOrder), upgradeOrder);
        const [table = ""] = text.match(/^\| Step .*(\n\|.*)+/m) ?? [];
        const rows = table.split("\n").map((row) => row.split("|")[1]?.trim());
        assert.deepEqual(rows.slice(2), [
            "etcd snapshot",
            "etcd",
            "checkpointer",
            "kube-apiserver",
            "kube-controller-manager, kube-scheduler",
            "flannel, kube-proxy, kube-router, CoreDNS",
            "CNI plugins, containerd",
            "kubelets",
        ]);
    });
});
