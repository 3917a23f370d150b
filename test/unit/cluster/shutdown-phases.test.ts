import assert from "node:assert/strict";
import { shutdownPhases } from "../../../cluster/kubelet-settings";
import { firstStart } from "../../../cluster/machines/bootstrap/assets";
import { priorities } from "../../../cluster/manifest";
import { etcdStaticPod } from "../../../cluster/manifests/etcd/member";
import { fixedCluster } from "../components/in-cluster/fixture";

describe("the phases of a machine's shutdown", () => {
    const seconds = (count: number, pool: string) =>
        shutdownPhases(fixedCluster({ controllers: { count } }), pool).map(
            ({ shutdownGracePeriodSeconds }) => shutdownGracePeriodSeconds,
        );

    it("end what stands on a pod before the pod: workloads, then control planes, then etcd", () => {
        const control = priorities.control.value;
        const etcd = priorityOf(etcdStaticPod(fixedCluster(), firstStart({ name: "a", address: "10.0.0.1" })).spec);
        assert.deepEqual(
            shutdownPhases(fixedCluster(), "controller").map(({ priority }) => priority),
            [0, control, etcd],
        );
        assert.ok(control < etcd);
    });

    it("allow an apiserver to drain if there are several controllers", () => {
        assert.deepEqual(seconds(3, "controller"), [30, 15, 5]);
    });

    it("do not drain the apiserver of a single controller", () =>
        assert.deepEqual(seconds(1, "controller"), [30, 1, 0]));

    it("give a worker's pods their time, however many controllers there are", () => {
        assert.deepEqual(seconds(1, "default"), [30, 15, 5]);
        assert.deepEqual(seconds(3, "default"), [30, 15, 5]);
    });
});

function priorityOf(spec: unknown): number {
    return (spec as { priority: number }).priority;
}
