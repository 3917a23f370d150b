import assert from "node:assert/strict";
import { type Connection, connectionOf } from "../../clients/kubernetes/kubeconfig";
import { controllerLabel } from "../../cluster/labels";
import { flannel } from "../../cluster/manifests/addons/flannel";
import { nodeRemovalAccount } from "../../cluster/manifests/nodes/node-removal";
import { placementPolicy } from "../../cluster/manifests/nodes/placement-policy";
import { HttpClient } from "../../simulator/plugins/kubernetes/http";
import { at, type KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { fixedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { applyAll, permissionsOf, tokenOf } from "./service-account";
import { until } from "./until";

const worker = "c-a-0";
const hostname = "kubernetes.io/hostname";
const isController = { [controllerLabel]: "" };
const deniedRole =
    /denied request: .*brings the control plane and its keys to a node: only system:masters and tradewind:administrators may change it/;
const deniedFlannel = /denied request: flannel must change the node that it runs on alone/;
const deniedHostname = /denied request: .*hostname must be the node's name/;

describe("the protection of controllers' labels, with a real kube-apiserver", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let flannelAccount: HttpClient;
    let nodeRemoval: HttpClient;
    let nodesEditor: HttpClient;
    let kubelet: HttpClient;
    let administrator: HttpClient;
    const open: HttpClient[] = [];

    const change = (who: HttpClient, body: object, path = "", node = worker) =>
        who.send({
            method: "PATCH",
            path: `/api/v1/nodes/${node}${path}`,
            contentType: "application/merge-patch+json",
            body,
        });
    const label = (who: HttpClient, labels: object, path = "") => change(who, { metadata: { labels } }, path);
    const create = (who: HttpClient, name: string, labels: Record<string, string>, query = {}) => {
        const body = { apiVersion: "v1", kind: "Node", metadata: { name, labels } };
        return who.send({ method: "POST", path: "/api/v1/nodes", query, body });
    };
    const labels = async () => {
        const found = await api.http.send({ method: "GET", path: `/api/v1/nodes/${worker}` });
        return (at(found as KubernetesObject, "metadata", "labels") ?? {}) as Record<string, string>;
    };
    const client = (connection: Connection) => {
        open.push(new HttpClient(connection));
        return open.at(-1)!;
    };
    const byCertificate = (user: string, group: string) => client(connectionOf(api.kubeconfigOf(user, group), {}));
    const byToken = async (account: string, spec = {}) => {
        const { server, ca } = connectionOf(api.kubeconfig, {});
        return client({ server, ca, token: await tokenOf(api, account, spec) } as Connection);
    };

    before(async () => {
        api = await ApiServer.start();
        const accounts = [...flannel(fixedCluster()), ...nodeRemovalAccount()];
        await applyAll(api, [
            ...permissionsOf(accounts),
            ...placementPolicy(fixedCluster()),
            ...mayEditNodes("editor"),
        ]);
        kubelet = byCertificate(`system:node:${worker}`, "system:nodes");
        administrator = byCertificate("kubernetes-admin", "system:masters");
        nodesEditor = byCertificate("editor", "editors");
        flannelAccount = await byToken("flannel");
        nodeRemoval = await byToken("node-removal");
        // kube-apiserver applies a policy with a delay.
        await until("the policy to be in force", async () => {
            const problem = await create(nodesEditor, "c-probe", isController, { dryRun: "All" }).catch(String);
            return deniedRole.test(String(problem));
        });
    });
    after(async () => {
        for (const http of open) http.close();
        await api?.stop();
    });

    it("allows a kubelet to register and to report its status", async () => {
        await create(kubelet, worker, { [hostname]: worker });
        const conditions = [{ type: "Ready", status: "True" }];
        await change(kubelet, { status: { conditions } }, "/status");
        await change(kubelet, { metadata: { annotations: { a: "b" }, labels: { "example.com/a": "b" } } });
        assert.equal((await labels())[hostname], worker);
    });

    it("allows flannel to report its node's network, but not to create a controller", async () => {
        const status = { conditions: [{ type: "NetworkUnavailable", status: "False" }] };
        const annotations = { "flannel.alpha.coreos.com/backend-type": "vxlan" };
        await change(flannelAccount, { metadata: { annotations }, status }, "/status");
        await assert.rejects(() => label(flannelAccount, isController, "/status"), deniedRole);
        await assert.rejects(() => label(flannelAccount, { [hostname]: "c-controller-0" }, "/status"), deniedHostname);
        assert.equal(controllerLabel in (await labels()), false);
    });

    it("denies flannel of one node access to others, and to every label", async () => {
        await create(administrator, "c-a-1", {});
        const body = {
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: "flannel-1" },
            spec: {
                serviceAccountName: "flannel",
                nodeName: "c-a-1",
                containers: [{ name: "flannel", image: "flannel" }],
            },
        };
        const path = "/api/v1/namespaces/kube-system/pods";
        const { metadata } = (await administrator.send({ method: "POST", path, body })) as KubernetesObject;
        // As its kubelet requests it.
        const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: "flannel-1", uid: metadata!.uid };
        const other = await byToken("flannel", { boundObjectRef });
        const annotations = { "flannel.alpha.coreos.com/public-ip": "10.0.0.99" };
        await change(other, { metadata: { annotations } }, "/status", "c-a-1");
        await assert.rejects(() => change(other, { metadata: { annotations } }, "/status"), deniedFlannel);
        await assert.rejects(() => change(other, { status: { conditions: [] } }, "/status"), deniedFlannel);
        await assert.rejects(
            () => change(other, { metadata: { labels: { a: "b" } } }, "/status", "c-a-1"),
            deniedFlannel,
        );
    });

    it("denies it to users who may change Nodes, both ways, and allows everything else", async () => {
        for (const path of ["", "/status"]) {
            await label(nodesEditor, { other: path.slice(1) }, path);
            await assert.rejects(() => label(nodesEditor, isController, path), deniedRole);
            await assert.rejects(() => label(nodesEditor, { [controllerLabel]: "x" }, path), deniedRole);
        }
        await assert.rejects(() => create(nodesEditor, "c-b-0", isController), deniedRole);
        await change(nodesEditor, { spec: { taints: [{ key: "a", effect: "NoSchedule" }], providerID: "aws:///i" } });
    });

    it("denies a kubelet the name of another machine", async () => {
        await assert.rejects(() => label(kubelet, { [hostname]: "c-controller-0" }), deniedHostname);
    });

    it("allows the administrator to create a controller, as the bootstrap does, and everyone to keep using it", async () => {
        await label(administrator, isController);
        await change(kubelet, { status: { conditions: [{ type: "Ready", status: "False" }] } }, "/status");
        await change(flannelAccount, { metadata: { annotations: { c: "d" } } }, "/status");
        await change(nodesEditor, { spec: { unschedulable: true } });
        await assert.rejects(() => label(nodesEditor, { [controllerLabel]: null }), deniedRole);
        assert.equal((await labels())[controllerLabel], "");
    });

    it("allows node-removal to release a controller, but not to create one", async () => {
        await assert.rejects(() => label(nodeRemoval, { [controllerLabel]: "x" }), deniedRole);
        await label(nodeRemoval, { [controllerLabel]: null });
        assert.equal(controllerLabel in (await labels()), false);
        await assert.rejects(() => label(nodeRemoval, isController), deniedRole);
    });
});

function mayEditNodes(user: string) {
    const group = "rbac.authorization.k8s.io";
    const name = "edit-nodes";
    const rules = [{ apiGroups: [""], resources: ["nodes", "nodes/status"], verbs: ["*"] }];
    return [
        { apiVersion: `${group}/v1`, kind: "ClusterRole", metadata: { name }, rules },
        {
            apiVersion: `${group}/v1`,
            kind: "ClusterRoleBinding",
            metadata: { name },
            roleRef: { apiGroup: group, kind: "ClusterRole", name },
            subjects: [{ apiGroup: group, kind: "User", name: user }],
        },
    ];
}
