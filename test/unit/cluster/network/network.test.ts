import assert from "node:assert/strict";
import { resolveNetwork } from "../../../../cluster/network/network";

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
                message: `network.podCidr must be /${smallest} or larger for ${nodes} nodes of a /24 each, got 10.0.0.0/${smallest + 1}`,
            });
        });
    }

    it("refuses a cluster domain that is no DNS name", () => {
        assert.throws(() => resolveNetwork({ clusterDomain: "Cluster_Local" }, 1), {
            message: "network.clusterDomain must be a lower-case DNS name, got Cluster_Local",
        });
    });
});
