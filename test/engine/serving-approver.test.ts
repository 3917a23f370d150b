import assert from "node:assert/strict";
import { approveServing } from "../../agents/nodes/serving-approver/approve";
import { servingSigner } from "../../agents/nodes/serving-approver/decide";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { connectionOf } from "../../clients/kubernetes/kubeconfig";
import { servingApprover } from "../../cluster/manifests/nodes/serving-approver";
import { Cluster } from "../../simulator/plugins/kubernetes/cluster";
import { at } from "../../simulator/plugins/kubernetes/object";
import { currentRequests, signingRequest } from "../signing-request";
import { fixedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { applyAll, clientOf, permissionsOf } from "./service-account";

const machines = { "c-controller-0": ["10.0.0.11"], "c-a-0": ["10.0.0.21"] };

describe("serving-approver with a real kube-apiserver", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let agent: ApiClient;
    let kubelet: Cluster;

    before(async () => {
        api = await ApiServer.start();
        await applyAll(api, permissionsOf(servingApprover(fixedCluster(), "text")));
        kubelet = new Cluster(connectionOf(api.kubeconfigOf("system:node:c-a-0", "system:nodes"), {}));
        agent = await clientOf(api, "serving-approver");
    });
    after(async () => {
        agent?.reconnect();
        kubelet?.close();
        await api?.stop();
    });

    it("approves a kubelet's request for its own machine, and never one for another's address", async () => {
        const ask = (name: string, ipAddresses: string[]) =>
            kubelet.create(signingRequest(name, "c-a-0", servingSigner, "server auth", ipAddresses), {
                fieldManager: "kubelet",
            });
        await ask("own", ["10.0.0.21"]);
        await ask("other", ["10.0.0.21", "10.0.0.11"]);
        const logged = new Map<string, string>();
        await approveServing(
            agent,
            () => machines,
            logged,
            () => currentRequests(agent, servingSigner),
        );
        const conditionsOf = async (name: string) => {
            const found = await api.cluster.get(signingRequest(name, "c-a-0", servingSigner, "server auth"));
            return (at(found, "status", "conditions") ?? []) as { type: string; reason: string }[];
        };
        const [condition] = await conditionsOf("own");
        assert.deepEqual([condition?.type, condition?.reason], ["Approved", "TradewindServingApprover"]);
        assert.deepEqual(await conditionsOf("other"), []);
        assert.deepEqual([...logged], [["other", "10.0.0.11 does not belong to c-a-0, which has 10.0.0.21"]]);
    });
});
