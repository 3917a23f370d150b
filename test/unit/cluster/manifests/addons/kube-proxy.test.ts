import assert from "node:assert/strict";
import { kubeProxy } from "../../../../../cluster/manifests/addons/kube-proxy";
import type { NetworkOptions } from "../../../../../cluster/options";
import { dualStack, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden, goldenChange } from "../../../golden";

function configuration(network: NetworkOptions) {
    const config = kubeProxy(fixedCluster({ network })).find(({ kind }) => kind === "ConfigMap")!;
    return JSON.parse((config.data as Record<string, string>)["config.json"]!);
}

describe("kube-proxy", () => {
    it("is as reviewed, and differs as reviewed in iptables mode", () => {
        const [nftables, iptables] = ["nftables", "iptables"].map((kubeProxyMode) =>
            kubeProxy(fixedCluster({ network: { kubeProxyMode } })),
        );
        golden(__dirname, "kube-proxy-nftables", nftables);
        goldenChange(__dirname, "kube-proxy-iptables", nftables, iptables);
    });

    it("opens no node port on loopback addresses if kube-router runs, in iptables mode", () => {
        const settings = (network: NetworkOptions) => configuration(network).iptables;
        assert.deepEqual(settings({ kubeProxyMode: "iptables" }), { localhostNodePorts: false });
        assert.equal(settings({ kubeProxyMode: "iptables", networkPolicies: "ignored" }), undefined);
        assert.equal(settings({}), undefined);
    });

    it("identifies pods by both of their blocks", () => {
        assert.equal(configuration(dualStack).clusterCIDR, "10.2.0.0/16,fd00:10:2::/56");
    });

    it("leaves connection tracking unchanged only if configured", () => {
        assert.equal(configuration({}).conntrack, undefined);
        assert.deepEqual(configuration({ keepConntrackLimits: true }).conntrack, {
            maxPerCore: 0,
            min: 0,
            tcpEstablishedTimeout: "0s",
            tcpCloseWaitTimeout: "0s",
        });
    });
});
