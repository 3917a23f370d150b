import assert from "node:assert/strict";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import type { Manifest } from "../../../../cluster/manifest";
import { addons } from "../../../../cluster/manifests/addons";
import type { NetworkOptions } from "../../../../cluster/options";
import { decideCniChange, runningCni } from "../../../../components/upgrade/cni-change";
import { fixedCluster } from "../../components/in-cluster/fixture";

const of = (network: NetworkOptions) => fixedCluster({ network });
const setsOf = (network: NetworkOptions) => addons(of(network)).filter(({ kind }) => kind === "DaemonSet");

function apiOf(sets: readonly Manifest[]): ApiClient {
    const call = async (path: string) => {
        if (path.startsWith("/api/v1/nodes")) return { items: [{}, {}, {}] };
        if (path.startsWith("/apis/apps/v1/daemonsets")) return { items: sets };
        const found = sets.find(
            ({ metadata }) => path === `/apis/apps/v1/namespaces/kube-system/daemonsets/${metadata.name}`,
        );
        if (!found) throw new ApiError(404, "not found");
        return found;
    };
    return { call } as unknown as ApiClient;
}

/** A CNI that users installed in a cluster of three nodes. */
const users = (numberReady: number, desiredNumberScheduled = 3, observedGeneration = 1) =>
    ({
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: "cilium", namespace: "cilium", generation: 1 },
        spec: {
            template: { spec: { containers: [], volumes: [{ name: "cni", hostPath: { path: "/etc/cni/net.d/" } }] } },
        },
        status: {
            ...{ desiredNumberScheduled, updatedNumberScheduled: desiredNumberScheduled },
            ...{ numberReady, observedGeneration },
        },
    }) as unknown as Manifest;

/** What becomes of a cluster with these networks or DaemonSets that should have this network. */
async function change(sets: readonly Manifest[], network: NetworkOptions) {
    const desired = of(network).network;
    return decideCniChange(await runningCni(apiOf(sets), desired), desired);
}

describe("a change of the pod network", () => {
    it("is none where it stays, and where the cluster has none yet", async () => {
        for (const cni of ["flannel", "kube-router"]) {
            assert.deepEqual(await change(setsOf({ cni }), { cni }), {});
            assert.deepEqual(await change([], { cni }), {});
        }
        assert.deepEqual(await change([], { cni: "none" }), {});
        assert.deepEqual(await change([users(3)], { cni: "none" }), {});
    });

    it("says what up will do, in both directions", async () => {
        const there = await change(setsOf({}), { cni: "kube-router" });
        assert.match(
            there.plan!,
            /^the pod network changes from flannel to kube-router: kube-router takes over routes/,
        );
        const back = await change(setsOf({ cni: "kube-router" }), {});
        assert.match(back.plan!, /^the pod network changes from kube-router to flannel: kube-router stops to route/);
    });

    it("continues, or goes back, where both run because an up was interrupted", async () => {
        const both = [
            ...setsOf({ cni: "kube-router" }),
            ...setsOf({}).filter(({ metadata }) => metadata.name === "flannel"),
        ];
        assert.match((await change(both, { cni: "kube-router" })).plan!, /from flannel to kube-router/);
        assert.match((await change(both, { cni: "flannel" })).plan!, /from kube-router to flannel.*`up --refresh`/);
        const firewall = setsOf({}).filter(({ metadata }) => metadata.name === "kube-router");
        assert.match(
            (await change(firewall, { cni: "kube-router" })).plan!,
            /interrupted.*`up --refresh` takes it back/,
        );
    });

    it("keeps kube-router's firewall until flannel has replaced its router", async () => {
        for (const networkPolicies of ["cleared", "ignored"]) {
            const { problem } = await change(setsOf({ cni: "kube-router" }), { networkPolicies });
            assert.equal(
                problem,
                `network.networkPolicies must be enforced while network.cni changes from kube-router (got ${networkPolicies})`,
            );
        }
    });

    it("to one's own requires that it runs on every node", async () => {
        const refusal =
            "network.cni none requires a DaemonSet of your CNI that mounts /etc/cni/net.d and is ready on every node";
        assert.equal((await change(setsOf({}), { cni: "none" })).problem, `${refusal} (found none)`);
        const some = await change([...setsOf({}), users(2)], { cni: "none" });
        assert.equal(some.problem, `${refusal} (found cilium/cilium on 2 of 3 nodes)`);
        // Its node selector leaves out a node, or its new pods are not counted yet.
        const selected = await change([...setsOf({}), users(2, 2)], { cni: "none" });
        assert.equal(selected.problem, `${refusal} (found cilium/cilium on 2 of 3 nodes)`);
        const changed = await change([...setsOf({}), users(3, 3, 0)], { cni: "none" });
        assert.match(changed.problem!, /\(found cilium\/cilium, which is being rolled out\)$/);
        const all = await change([...setsOf({}), users(3)], { cni: "none" });
        assert.match(
            all.plan!,
            /flannel to none: flannel is removed from every node last of all, and cilium\/cilium stays/,
        );
    });

    it("says what is left of kube-proxy where a CNI of one's own replaces it", async () => {
        const without = { cni: "none", kubeProxyMode: "none" };
        const removal =
            "kube-proxy is removed from every node last of all; its rules stay on a node, outdated, until it reboots";
        // Also before there is a CNI: no pod can use a Service then.
        assert.deepEqual(await change(setsOf({ cni: "none" }), without), { plan: removal });
        const both = await change([...setsOf({}), users(3)], without);
        assert.match(both.plan!, /^the pod network changes from flannel to none: .*stays; kube-proxy is removed/);
        const { problem } = await change(setsOf({}), without);
        assert.match(problem!, /^network.cni none requires a DaemonSet of your CNI/);
        assert.deepEqual(await change(setsOf(without), without), {});
        assert.deepEqual(await change(setsOf(without), { cni: "none" }), {});
    });

    it("between one's own and kube-router goes by way of flannel", async () => {
        assert.equal(
            (await change([...setsOf({ cni: "kube-router" }), users(3)], { cni: "none" })).problem,
            "network.cni must be flannel before it becomes none (is kube-router)",
        );
        assert.equal(
            (await change([users(3)], { cni: "kube-router" })).problem,
            "network.cni must be flannel before it becomes kube-router (is none)",
        );
        assert.match(
            (await change([users(3)], { cni: "flannel" })).plan!,
            /from none to flannel: .*remove cilium\/cilium/,
        );
    });
});
