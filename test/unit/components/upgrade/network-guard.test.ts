import assert from "node:assert/strict";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import { controlPlane } from "../../../../cluster/manifests/control-plane";
import { placeholderCredentials } from "../../../../cluster/manifests/control-plane/placeholder";
import type { Cluster } from "../../../../cluster/model";
import type { NetworkOptions } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import { changedNetwork, networkProblem } from "../../../../components/upgrade/network-guard";

const of = (network: NetworkOptions = {}): Cluster => resolveCluster({ name: "c", network });

/** An API in front of a cluster created with these networks. */
function apiOf(cluster: Cluster): ApiClient {
    const manifests = controlPlane(cluster, placeholderCredentials(cluster));
    const call = async (path: string) => {
        const name = path.split("/").at(-1);
        const found = manifests.find(({ kind, metadata }) => kind === "DaemonSet" && metadata.name === name);
        if (!found) throw new ApiError(404, "not found");
        return found;
    };
    return { call } as unknown as ApiClient;
}

describe("the networks of an existing cluster", () => {
    it("are as they were", async () => {
        assert.equal(await networkProblem(apiOf(of()), of()), undefined);
    });

    for (const [option, other, there] of [
        ["podCidr", "10.64.0.0/16", "10.2.0.0/16"],
        ["serviceCidr", "10.65.0.0/16", "10.3.0.0/16"],
        ["clusterDomain", "corp.internal", "cluster.local"],
    ] as const) {
        it(`are refused otherwise: ${option}`, async () => {
            assert.equal(
                await networkProblem(apiOf(of()), of({ [option]: other })),
                `network.${option} cannot be changed after creation (is ${there}, got ${other})`,
            );
        });
    }

    const dual = { podCidr6: "fd00:10:2::/56", serviceCidr6: "fd00:10:3::/112" };

    it("are as they were by IPv6 too", async () => {
        assert.equal(await networkProblem(apiOf(of(dual)), of(dual)), undefined);
    });

    for (const [what, before, after, message] of [
        ["that come", {}, dual, "network.podCidr6 cannot be changed after creation (is none, got fd00:10:2::/56)"],
        ["that go", dual, {}, "network.podCidr6 cannot be changed after creation (is fd00:10:2::/56, got none)"],
        [
            "of other services",
            dual,
            { ...dual, serviceCidr6: "fd00:10:4::/112" },
            "network.serviceCidr6 cannot be changed after creation (is fd00:10:3::/112, got fd00:10:4::/112)",
        ],
    ] as const) {
        it(`are refused by IPv6 ${what}`, async () => {
            assert.equal(await networkProblem(apiOf(of(before)), of(after)), message);
        });
    }

    it("are not derived from a foreign issuer", () => {
        const { network } = of({ clusterDomain: "corp.internal" });
        assert.equal(
            changedNetwork(["kube-apiserver", "--service-account-issuer=https://a.example"], network),
            undefined,
        );
    });

    it("are not checked without a control plane of Tradewind", async () => {
        const call = async () => {
            throw new ApiError(404, "not found");
        };
        assert.equal(await networkProblem({ call } as unknown as ApiClient, of()), undefined);
    });
});
