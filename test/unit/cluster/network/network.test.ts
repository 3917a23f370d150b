import assert from "node:assert/strict";
import { nodePodPrefix, resolveNetwork } from "../../../../cluster/network/network";
import type { NetworkOptions } from "../../../../cluster/options";
import { dualStack } from "../../components/in-cluster/fixture";

describe("resolveNetwork", () => {
    it("puts the API and DNS at fixed places of the service block", () => {
        const network = resolveNetwork({ serviceCidr: "172.20.0.0/24" }, 1);
        assert.equal(network.kubernetesServiceAddress, "172.20.0.1");
        assert.equal(network.dnsServiceAddress, "172.20.0.10");
    });

    for (const [nodes, smallest] of [
        [1, 22],
        [3, 22],
        [4, 21],
        [7, 21],
        [255, 16],
        [256, 15],
    ] as const) {
        it(`requires a /${smallest} for ${nodes} nodes, including one being replaced`, () => {
            const podCidr = (prefix: number) => ({ podCidr: `10.0.0.0/${prefix}`, serviceCidr: "172.20.0.0/16" });
            resolveNetwork(podCidr(smallest), nodes);
            assert.throws(() => resolveNetwork(podCidr(smallest + 1), nodes), {
                message: `network.podCidr must be /${smallest} or larger for ${nodes} nodes of a /24 each (got 10.0.0.0/${smallest + 1})`,
            });
        });
    }

    it("counts nodes by the size of their blocks", () => {
        const of = (flags: Record<string, string>, nodes: number) =>
            resolveNetwork({ podCidr: "10.4.0.0/16" }, nodes, nodePodPrefix(flags));
        of({ "node-cidr-mask-size": "26" }, 1000);
        of({ "node-cidr-mask-size-ipv4": "25" }, 511);
        assert.throws(() => of({ "node-cidr-mask-size": "26" }, 1024), {
            message: "network.podCidr must be /15 or larger for 1024 nodes of a /26 each (got 10.4.0.0/16)",
        });
        assert.throws(() => of({ "node-cidr-mask-size": "no number" }, 256), /256 nodes of a \/24 each/);
    });

    it("enforces NetworkPolicies, unless they are turned off", () => {
        const mode = (networkPolicies?: string) => resolveNetwork({ networkPolicies }, 1).networkPolicies;
        assert.deepEqual([mode(), mode("ignored"), mode("cleared")], ["enforced", "ignored", "cleared"]);
        assert.throws(() => mode("on"), {
            message: "network.networkPolicies must be one of enforced, cleared, ignored (got on)",
        });
    });

    it("has a CNI, which decides about NetworkPolicies if it is the users' own", () => {
        const of = (options: NetworkOptions) => resolveNetwork(options, 1);
        assert.equal(of({}).cni, "flannel");
        assert.deepEqual(
            [of({ cni: "kube-router" }).networkPolicies, of({ cni: "none" }).networkPolicies],
            ["enforced", "ignored"],
        );
        for (const [options, message] of [
            [
                { kubeProxyMode: "none" },
                "network.kubeProxyMode none requires network.cni none: neither flannel nor kube-router replaces it (got flannel)",
            ],
            [{ cni: "cilium" }, "network.cni must be one of flannel, kube-router, none (got cilium)"],
            [
                { cni: "none", networkPolicies: "enforced" },
                "network.networkPolicies conflicts with network.cni none: the CNI of your own enforces them (got enforced)",
            ],
            [
                { cni: "kube-router", ...dualStack },
                "network.podCidr6 conflicts with network.cni kube-router (got fd00:10:2::/56)",
            ],
        ] as const) {
            assert.throws(() => of(options), { message });
        }
        assert.equal(of({ cni: "none", ...dualStack }).podCidr6?.text, "fd00:10:2::/56");
    });

    it("refuses a cluster domain that is no DNS name", () => {
        assert.throws(() => resolveNetwork({ clusterDomain: "Cluster_Local" }, 1), {
            message: "network.clusterDomain must be a lower-case DNS name (got Cluster_Local)",
        });
    });
});
