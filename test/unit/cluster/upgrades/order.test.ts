import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
    orderBack,
    stepNames,
    stepNamesBack,
    stepOf,
    UpgradeOrder,
    upgradeOrder,
} from "../../../../cluster/upgrades/order";

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

    it("makes a step wait for the nearest earlier one that changes anything", async () => {
        const order = new UpgradeOrder<string>();
        assert.deepEqual(await order.before("addons"), []);
        order.add("checkpointer", "a", "b");
        order.add("addons", "d");
        assert.deepEqual(await order.before("checkpointer"), []);
        assert.deepEqual(await order.before("controllers"), ["a", "b"]);
        order.add("apiserver", "c");
        assert.deepEqual(await order.before("controllers"), ["c"]);
        assert.deepEqual(await order.before("workerKubelets"), ["d"]);
    });

    it("has kube-apiserver last on the way back, with all steps added by then", async () => {
        const order = new UpgradeOrder<string>(Promise.resolve(true));
        const waited = ["controllerKubelets", "addons", "apiserver", "controllers"] as const;
        const all = Promise.all(waited.map((step) => order.before(step)));
        order.add("checkpointer", "checkpointer");
        order.add("apiserver", "kube-apiserver");
        order.add("controllers", "kube-scheduler");
        order.add("addons", "kube-proxy");
        order.addBack("addons", "cloud-controller-manager");
        order.add("workerKubelets", "kubelets");
        assert.deepEqual(await all, [
            ["checkpointer"],
            ["kubelets"],
            ["kube-scheduler"],
            ["kube-proxy", "cloud-controller-manager"],
        ]);
        assert.deepEqual([...stepNamesBack].sort(), [...stepNames].sort());
    });

    it("has nothing wait for what may need new nodes, except on the way back", async () => {
        const order = new UpgradeOrder<string>();
        order.addBack("addons", "cloud-controller-manager");
        assert.deepEqual(await order.before("workerKubelets"), []);
    });

    it("does not apply to a new cluster, whose parts the bootstrap has applied", async () => {
        const order = new UpgradeOrder<string>(undefined, Promise.resolve(true));
        order.add("checkpointer", "checkpointer");
        assert.deepEqual(await order.before("apiserver"), []);
        assert.deepEqual(await order.unlessNew(Promise.resolve(["kube-apiserver"])), []);
    });

    it("is that of the documentation", () => {
        const text = readFileSync("docs/upgrades.md", "utf8");
        for (const order of [upgradeOrder, orderBack]) assert.ok(text.replaceAll(/\s+/g, " ").includes(order), order);
        const [table = ""] = text.match(/^\| Step .*(\n\|.*)+/m) ?? [];
        const rows = table.split("\n").map((row) => row.split("|")[1]?.trim());
        assert.deepEqual(rows.slice(2), [
            "etcd snapshot",
            "etcd",
            "checkpointer",
            "kube-apiserver",
            "kube-controller-manager, kube-scheduler",
            "soak",
            "flannel, kube-proxy, kube-router, CoreDNS",
            "CNI plugins, containerd",
            "kubelets",
        ]);
    });
});
