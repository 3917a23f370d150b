import assert from "node:assert/strict";
import { addons } from "../../../../../cluster/manifests/addons";
import { fixedCluster } from "../../../components/in-cluster/fixture";

describe("the add-ons", () => {
    const workloads = (defaults: number) =>
        addons(fixedCluster({ defaults }))
            .filter(({ kind }) => /DaemonSet|Deployment/.test(kind))
            .map(({ metadata }) => metadata.name);

    it("are the pod network, service addresses, network policies and DNS", () =>
        assert.deepEqual(workloads(2), ["flannel", "kube-proxy", "kube-router", "coredns"]));

    it("do not include network policies in clusters of earlier releases", () =>
        assert.deepEqual(workloads(1), ["flannel", "kube-proxy", "coredns"]));

    it("hold no secret, so that a first preview shows them whole", () => {
        assert.deepEqual(
            addons(fixedCluster()).filter(({ kind }) => kind === "Secret"),
            [],
        );
    });
});
