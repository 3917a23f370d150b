import assert from "node:assert/strict";
import { costs, stepsOf } from "../../../../dev/bench/upgrade";

describe("the steps of an upgrade", () => {
    it("are its rollouts, with durations", () => {
        const output = `
 ~  kubernetes:apps/v1:DaemonSet c/daemonset/kube-system/kube-apiserver updating (0s) [diff: ~spec]
 ~  kubernetes:apps/v1:DaemonSet c/daemonset/kube-system/kube-apiserver updated (22s) [diff: ~spec]
 ~  kubernetes:core/v1:ConfigMap c/configmap/kube-system/etcd-keeper updated (0.1s)
 ~  kubernetes:apps/v1:Deployment c/deployment/kube-system/etcd-keeper updated (3.10s) [diff: ~spec]
`;
        assert.deepEqual(stepsOf(output), ["kube-apiserver: 22s", "etcd-keeper: 3.10s"]);
    });
});

describe("the cost of an upgrade", () => {
    it("is compared to kubeadm's, and its memory to that before", () => {
        const mine = { duration: 90_000, before: 500, peak: 800 };
        const theirs = { duration: 60_000, before: 400, peak: 500 };
        assert.deepEqual(
            costs("upgrade.1-controllers", mine, theirs).map(({ name, value, ratio, goal }) => ({
                name,
                value,
                ratio,
                goal,
            })),
            [
                { name: "upgrade.1-controllers.duration", value: 90, ratio: 1.5, goal: 0.4 },
                { name: "upgrade.1-controllers.memory-peak", value: 800, ratio: 1.6, goal: 2 },
            ],
        );
    });

    it("is only its memory if nothing was measured for comparison", () => {
        const [memory, ...others] = costs("upgrade.3-controllers", { duration: 90_000, before: 500, peak: 800 });
        assert.deepEqual([memory?.name, memory?.ratio, others], ["upgrade.3-controllers.memory-peak", 1.6, []]);
    });
});
