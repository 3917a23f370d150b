import assert from "node:assert/strict";
import { addons } from "../../../../../cluster/manifests/addons";
import type { NetworkOptions } from "../../../../../cluster/options";
import { fixedCluster } from "../../../components/in-cluster/fixture";

describe("the add-ons", () => {
    const workloads = (network: NetworkOptions) =>
        addons(fixedCluster({ network }))
            .filter(({ kind }) => /DaemonSet|Deployment/.test(kind))
            .map(({ metadata }) => metadata.name);

    it("are the pod network, service addresses, network policies and DNS", () =>
        assert.deepEqual(workloads({}), ["kube-proxy", "kube-router", "flannel", "coredns"]));

    it("do not include network policies where those are ignored", () =>
        assert.deepEqual(workloads({ networkPolicies: "ignored" }), ["kube-proxy", "flannel", "coredns"]));

    it("have one pod network: flannel, kube-router, or the users' own, which enforces their policies", () => {
        const of = (network: NetworkOptions) =>
            addons(fixedCluster({ network })).filter(({ kind }) => /DaemonSet|Deployment/.test(kind));
        const names = (network: NetworkOptions) => of(network).map(({ metadata }) => metadata.name);
        assert.deepEqual(names({ cni: "kube-router" }), ["kube-proxy", "kube-router", "coredns"]);
        assert.deepEqual(names({ cni: "kube-router", networkPolicies: "ignored" }), names({ cni: "kube-router" }));
        assert.deepEqual(names({ cni: "none" }), ["kube-proxy", "coredns"]);
        assert.deepEqual(names({ cni: "none", kubeProxyMode: "none" }), ["coredns"]);
    });

    it("wait for cluster DNS, unless users install the pod network, which they cannot before", () => {
        const skipped = (network: NetworkOptions) =>
            addons(fixedCluster({ network }))
                .filter(({ metadata }) => metadata.annotations?.["pulumi.com/skipAwait"] === "true")
                .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
        assert.deepEqual(skipped({}), []);
        assert.deepEqual(skipped({ cni: "kube-router" }), []);
        assert.deepEqual(skipped({ cni: "none" }), ["Deployment coredns", "Service kube-dns"]);
    });

    it("hold no secret, so that a first preview shows them whole", () => {
        assert.deepEqual(
            addons(fixedCluster()).filter(({ kind }) => kind === "Secret"),
            [],
        );
    });
});
