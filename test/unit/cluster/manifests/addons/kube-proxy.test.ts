import assert from "node:assert/strict";
import type { DaemonSet } from "../../../../../clients/kubernetes/objects";
import { kubeProxy } from "../../../../../cluster/manifests/addons/kube-proxy";
import type { ClusterOptions, NetworkOptions } from "../../../../../cluster/options";
import { dualStack, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden, goldenChange } from "../../../golden";

function flags(network: NetworkOptions, components: ClusterOptions["components"] = {}): string[] {
    const manifest = kubeProxy(fixedCluster({ network, components })).find(({ kind }) => kind === "DaemonSet");
    return (manifest as unknown as DaemonSet).spec!.template.spec.containers[0]!.command as string[];
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
        const isClosed = (network: NetworkOptions) => flags(network).includes("--iptables-localhost-nodeports=false");
        assert.ok(isClosed({ kubeProxyMode: "iptables" }));
        assert.ok(!isClosed({ kubeProxyMode: "iptables", networkPolicies: "ignored" }));
        assert.ok(!isClosed({}));
    });

    it("identifies pods by both of their blocks", () => {
        assert.ok(flags(dualStack).includes("--cluster-cidr=10.2.0.0/16,fd00:10:2::/56"));
    });

    it("leaves connection tracking unchanged only if configured", () => {
        const conntrack = (network: NetworkOptions) => flags(network).filter((flag) => flag.startsWith("--conntrack"));
        assert.deepEqual(conntrack({}), []);
        assert.deepEqual(conntrack({ keepConntrackLimits: true }), [
            "--conntrack-max-per-core=0",
            "--conntrack-min=0",
            "--conntrack-tcp-timeout-established=0s",
            "--conntrack-tcp-timeout-close-wait=0s",
        ]);
    });

    it("has flags of the user's own", () => {
        assert.ok(
            flags({}, { kubeProxy: { "nodeport-addresses": "primary" } }).includes("--nodeport-addresses=primary"),
        );
    });
});
