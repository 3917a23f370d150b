import assert from "node:assert/strict";
import type { ApiClient } from "../../agents/common/api-client";
import { approveOnce } from "../../agents/node-approver/approve";
import { signerName } from "../../agents/node-approver/decide";
import { nodeApprover, nodeApproverPlan, poolGroup } from "../../components/control-plane/node-approver";
import { rbacManifests } from "../../components/control-plane/rbac";
import { Cluster } from "../../simulator/kubernetes/cluster";
import { connectionOf } from "../../simulator/kubernetes/kubeconfig";
import { at, type KubernetesObject } from "../../simulator/kubernetes/object";
import { csr } from "../unit/agents/node-approver/csr";
import { fixedCluster } from "../unit/components/fixture";
import { ApiServer } from "./apiserver";
import { applyAll, clientOf, rightsOf } from "./service-account";
import { until } from "./until";

const groups = { namePattern: "^i-[0-9a-f]{17}$", max: { a: 2 } };
const instance = (index: number) => `i-${String(index).padStart(17, "0")}`;

describe("node-approver with a real kube-apiserver, beside Kubernetes' own approver", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let agent: ApiClient;
    let machine: Cluster;
    let machineOfEndingToken: Cluster;

    const conditionsOf = async (name: string) => {
        const found = await api.cluster.get(request(name));
        return (at(found, "status", "conditions") ?? []) as { type: string; reason: string }[];
    };
    const approve = () => approveOnce(agent, nodeApproverPlan(groups), new Map());

    before(async () => {
        api = await ApiServer.start({ controllers: ["certificatesigningrequest-approving-controller"] });
        const rights = rightsOf(nodeApprover(fixedCluster(), groups, "text"));
        const all = [...rbacManifests(), ...rights];
        await applyAll(
            api,
            all.filter(({ metadata }) => metadata.namespace !== "kube-public"),
        );
        const asking = (group: string) =>
            new Cluster(connectionOf(api.kubeconfigOf(`system:bootstrap:${group.slice(-1)}`, group), {}));
        machine = asking(poolGroup("a"));
        machineOfEndingToken = asking("system:bootstrappers:tradewind");
        agent = await clientOf(api, "node-approver");
    });
    after(async () => {
        agent?.reconnect();
        machine?.close();
        machineOfEndingToken?.close();
        await api?.stop();
    });

    it("approves a machine that its pool may have, with the rights that the stack gives it", async () => {
        await machine.create(request(instance(1)), { fieldManager: "kubelet" });
        await approve();
        const [condition] = await conditionsOf(instance(1));
        assert.deepEqual([condition?.type, condition?.reason], ["Approved", "TradewindNodeApprover"]);
    });

    it("leaves a request for a controller's name to nobody, as Kubernetes does with that token", async () => {
        await machine.create(request("c-controller-0"), { fieldManager: "kubelet" });
        // The same request by a token that ends is approved by Kubernetes: it has looked at both.
        await machineOfEndingToken.create(request("c-worker-0"), { fieldManager: "kubelet" });
        await until("Kubernetes' own approval", async () => (await conditionsOf("c-worker-0")).length > 0);
        await approve();
        assert.deepEqual(await conditionsOf("c-controller-0"), []);
    });

    it("admits no more than a pool may have, until one of them is lost", async () => {
        await machine.create(request(instance(2)), { fieldManager: "kubelet" });
        await machine.create(request(instance(3)), { fieldManager: "kubelet" });
        await approve();
        const admitted = async () =>
            (await Promise.all([1, 2, 3].map((index) => conditionsOf(instance(index))))).map(({ length }) => length);
        assert.deepEqual(await admitted(), [1, 1, 0]);
        // It came, and is not Ready: a node that is lost.
        const labels = { "node.kubernetes.io/pool": "a" };
        const lost = { apiVersion: "v1", kind: "Node", metadata: { name: instance(1), labels } };
        await api.cluster.create(lost, { fieldManager: "kubelet" });
        await approve();
        assert.deepEqual(await admitted(), [1, 1, 1]);
    });
});

function request(node: string): KubernetesObject {
    return {
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name: node },
        spec: {
            request: Buffer.from(csr(`system:node:${node}`)).toString("base64"),
            signerName,
            usages: ["digital signature", "client auth"],
        },
    } as KubernetesObject;
}
