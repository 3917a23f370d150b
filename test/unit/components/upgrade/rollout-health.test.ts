import assert from "node:assert/strict";
import { lacks } from "../../../../components/upgrade/rollout-health";

const daemonSet = (name: string, numberReady: number) => ({
    ...{ metadata: { name }, spec: {} },
    status: { desiredNumberScheduled: 3, numberReady },
});
const deployment = (name: string, readyReplicas?: number) => ({
    ...{ metadata: { name }, spec: { replicas: 2 } },
    status: { ...(readyReplicas !== undefined && { readyReplicas }) },
});

describe("what is not whole", () => {
    it("is each of the named ones that lacks pods", () => {
        const all = [daemonSet("flannel", 2), daemonSet("kube-proxy", 3), daemonSet("other", 0)];
        assert.deepEqual(lacks(all, ["flannel", "kube-proxy"]), ["flannel has 2 of 3 pods Ready"]);
        const named = [deployment("coredns"), deployment("etcd-keeper", 2)];
        assert.deepEqual(lacks(named, ["coredns", "etcd-keeper"]), ["coredns has 0 of 2 pods Ready"]);
    });

    it("is not what lacks no more than is spared", () => {
        assert.deepEqual(lacks([daemonSet("flannel", 2)], ["flannel"], 1), []);
        assert.deepEqual(lacks([daemonSet("flannel", 1)], ["flannel"], 1), ["flannel has 1 of 3 pods Ready"]);
    });
});
