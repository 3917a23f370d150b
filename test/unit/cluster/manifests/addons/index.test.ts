import assert from "node:assert/strict";
import { addons } from "../../../../../cluster/manifests/addons";
import { fixedCluster } from "../../../components/in-cluster/fixture";

describe("the add-ons", () => {
    it("are the pod network, service addresses and DNS", () => {
        const workloads = addons(fixedCluster()).filter(({ kind }) => /DaemonSet|Deployment/.test(kind));
        assert.deepEqual(
            workloads.map(({ metadata }) => metadata.name),
            ["flannel", "kube-proxy", "coredns"],
        );
    });

    it("hold no secret, so that a first preview shows them whole", () => {
        assert.deepEqual(
            addons(fixedCluster()).filter(({ kind }) => kind === "Secret"),
            [],
        );
    });
});
