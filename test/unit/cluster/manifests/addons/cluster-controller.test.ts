import assert from "node:assert/strict";
import { clusterController } from "../../../../../cluster/manifests/addons/cloud-controller";
import { fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";

const containers = [{ name: "a", image: "registry.example/a:v1" }];

describe("a controller of the cluster", () => {
    const specOf = (count: number) => {
        const [deployment] = clusterController(fixedCluster({ controllers: { count } }), "a", { containers });
        return deployment!.spec as { replicas: number; strategy: { rollingUpdate: object } };
    };

    it("has two replicas on separate controllers, if there are enough", () => {
        assert.deepEqual(
            [1, 3, 5].map((count) => specOf(count).replicas),
            [1, 2, 2],
        );
        const [deployment] = clusterController(fixedCluster(), "a", { containers });
        assert.match(
            JSON.stringify(podSpecOf(deployment!)!.affinity),
            /"podAntiAffinity":.*"requiredDuringScheduling.*"kubernetes.io\/hostname"/,
        );
        assert.deepEqual(specOf(3).strategy.rollingUpdate, { maxUnavailable: 1, maxSurge: 0 });
    });

    it("is evicted one at a time", () => {
        const [, budget] = clusterController(fixedCluster(), "a", { containers });
        assert.equal(budget!.kind, "PodDisruptionBudget");
        assert.deepEqual(budget!.spec, {
            maxUnavailable: 1,
            selector: { matchLabels: { "k8s-app": "a" } },
            unhealthyPodEvictionPolicy: "AlwaysAllow",
        });
    });

    it("runs on the controllers' own network as nobody, before a cloud has initialized their nodes", () => {
        const [deployment] = clusterController(fixedCluster({ cloudProvider: "aws" }), "a", { containers });
        const { hostNetwork, nodeSelector, securityContext, tolerations } = podSpecOf(deployment!)!;
        assert.equal(hostNetwork, true);
        assert.deepEqual(nodeSelector, { "node-role.kubernetes.io/control-plane": "" });
        assert.equal((securityContext as { runAsNonRoot: boolean }).runAsNonRoot, true);
        const tolerated = (tolerations as { key: string; effect: string }[]).map(
            ({ key, effect }) => `${key}:${effect}`,
        );
        for (const taint of [
            "node-role.kubernetes.io/control-plane:NoSchedule",
            "node.cloudprovider.kubernetes.io/uninitialized:NoSchedule",
            "node.kubernetes.io/not-ready:NoSchedule",
        ]) {
            assert.ok(tolerated.includes(taint), taint);
        }
    });
});
