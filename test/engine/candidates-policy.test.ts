import assert from "node:assert/strict";
import { memberLabel } from "../../agents/nodes/promoter/plan";
import {
    type Controllers,
    controllersKey,
    demotedKey,
    type NodeRole,
    requestKey,
} from "../../agents/nodes/promoter/record";
import { type Connection, connectionOf } from "../../clients/kubernetes/kubeconfig";
import { controllerLabel } from "../../cluster/labels";
import { controllersRecord } from "../../cluster/manifests/nodes/controllers-record";
import { nodeApprover } from "../../cluster/manifests/nodes/node-approver";
import { nodePromoterAccount } from "../../cluster/manifests/nodes/node-promoter";
import { nodeRecordsPolicy } from "../../cluster/manifests/nodes/node-records-policy";
import { placementPolicy } from "../../cluster/manifests/nodes/placement-policy";
import { staticPodPolicy } from "../../cluster/manifests/nodes/static-pod-policy";
import { nodeApproverUser } from "../../cluster/manifests/rbac";
import { HttpClient } from "../../simulator/plugins/kubernetes/http";
import { at, type KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { fakeCredentials, withCandidates } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { mayEditConfigMaps, mayEditNodes } from "./node-editors";
import { applyAll, permissionsOf, tokenOf } from "./service-account";
import { until } from "./until";

const candidate = "c-default-0";
const other = "c-other-0";
const deniedRole = /denied request: .*brings the control plane and its keys to a node/;
const deniedMember = /denied request: .*brings a member of etcd and its key to a node/;
const deniedCandidate = /denied request: static pods are for controllers, and this node is only a candidate/;
const deniedRecord =
    /denied request: the ConfigMap controllers decides which machines are nodes or controllers: only system:masters/;
const deniedStatic = /denied request: static pods are for controllers: use a DaemonSet/;
const forbidden = /is forbidden: User "system:serviceaccount:kube-system:node-promoter" cannot/;
const system = "/api/v1/namespaces/kube-system";
const record = `${system}/configmaps/controllers`;

describe("what candidates for controllers may do, with a real kube-apiserver", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let promoter: HttpClient;
    let editor: HttpClient;
    let kubelet: HttpClient;
    const open: HttpClient[] = [];

    const client = (connection: Connection) => {
        open.push(new HttpClient(connection));
        return open.at(-1)!;
    };
    const byCertificate = (user: string, group: string) => client(connectionOf(api.kubeconfigOf(user, group), {}));
    const patch = (who: HttpClient, path: string, body: object) =>
        who.send({ method: "PATCH", path, contentType: "application/merge-patch+json", body });
    const label = (who: HttpClient, node: string, labels: object) =>
        patch(who, `/api/v1/nodes/${node}`, { metadata: { labels } });
    const write = (roles: Record<string, Pick<NodeRole, "role"> & Partial<NodeRole>>, data = {}) => {
        const all: Controllers = Object.fromEntries(
            Object.entries(roles).map(([node, own]) => [node, { since: "2026-01-01T00:00:00Z", why: "", ...own }]),
        );
        return patch(promoter, record, { data: { [controllersKey]: JSON.stringify(all), ...data } });
    };
    const attempt = async (node: string, spec = {}) => {
        const found = await api.http.send({ method: "GET", path: `/api/v1/nodes/${node}` });
        const uid = String(at(found as KubernetesObject, "metadata", "uid"));
        return byCertificate(`system:node:${node}`, "system:nodes").send({
            method: "POST",
            path: "/api/v1/namespaces/kube-system/pods",
            query: { dryRun: "All" },
            body: {
                apiVersion: "v1",
                kind: "Pod",
                metadata: {
                    name: `etcd-${node}`,
                    annotations: { "kubernetes.io/config.mirror": "0" },
                    ownerReferences: [{ apiVersion: "v1", kind: "Node", name: node, uid, controller: true }],
                },
                spec: { nodeName: node, containers: [{ name: "one", image: "one" }], ...spec },
            },
        });
    };

    before(async () => {
        api = await ApiServer.start();
        const cluster = withCandidates();
        await applyAll(api, [
            ...permissionsOf(nodePromoterAccount(cluster)),
            ...permissionsOf(nodeApprover(cluster, fakeCredentials(cluster), { agent: "text" })),
            ...placementPolicy(cluster),
            ...staticPodPolicy(cluster),
            ...nodeRecordsPolicy(cluster),
            ...mayEditNodes("editor"),
            ...mayEditConfigMaps("editor"),
        ]);
        const { server, ca } = connectionOf(api.kubeconfig, {});
        promoter = client({ server, ca, token: await tokenOf(api, "node-promoter") } as Connection);
        editor = byCertificate("editor", "editors");
        kubelet = byCertificate(`system:node:${candidate}`, "system:nodes");
        for (const name of [candidate, "c-default-1", other, "c-controller-0"]) {
            const body = { apiVersion: "v1", kind: "Node", metadata: { name, labels: { name } } };
            await api.http.send({ method: "POST", path: "/api/v1/nodes", body });
        }
        await until("the policies to be in force", async () => {
            const body = { apiVersion: "v1", kind: "Node", metadata: { name: "n", labels: { [memberLabel]: "x" } } };
            const query = { dryRun: "All" };
            const problem = await editor.send({ method: "POST", path: "/api/v1/nodes", query, body }).catch(String);
            return deniedMember.test(String(problem)) && deniedStatic.test(String(await attempt(other).catch(String)));
        });
    });
    after(async () => {
        for (const http of open) http.close();
        await api?.stop();
    });

    it("accepts static pods of the stack's controllers without a record, and none of other workers", async () => {
        await assert.rejects(() => attempt(other), deniedStatic);
        await attempt("c-controller-0");
    });

    it("accepts those of candidates that are, or become, controllers", async () => {
        await applyAll(api, [controllersRecord()]);
        await until("the empty record to be known", async () =>
            deniedCandidate.test(String(await attempt(candidate).catch(String))),
        );
        await attempt("c-controller-0");
        await write({ [candidate]: { role: "joining" } });
        await until("it to be accepted", () => attempt(candidate).then(Boolean, () => false));
        const rejects = async (node: string) =>
            until(`a static pod of ${node} to be denied`, async () =>
                deniedCandidate.test(String(await attempt(node).catch(String))),
            );
        await assert.rejects(() => attempt("c-default-1"), deniedCandidate);
        await write({ "c-default-1": { role: "candidate" }, [candidate]: { role: "controller" } });
        await attempt(candidate);
        await rejects("c-default-1");
        for (const role of ["leaving", "candidate"] as const) {
            await write({ [candidate]: { role } });
            await rejects(candidate);
        }
        const why = `"${candidate}":{"role":"controller"} "role":"controller"`;
        await write({ [candidate]: { why, role: "candidate" }, "c-default-1": { role: "controller" } });
        await rejects(candidate);
        // Its keys in another order.
        await patch(promoter, record, {
            data: { [controllersKey]: `{ "${candidate}": { "why": "lost", "role": "controller" } }` },
        });
        await until("it to be accepted", () => attempt(candidate).then(Boolean, () => false));
    });

    it("denies those of demoted controllers of the stack", async () => {
        await attempt("c-controller-0");
        await write({}, { [demotedKey("c-controller-0")]: "" });
        await until("it to be denied", async () =>
            deniedCandidate.test(String(await attempt("c-controller-0").catch(String))),
        );
        await write({}, { [demotedKey("c-controller-0")]: null });
        await until("it to be accepted", () => attempt("c-controller-0").then(Boolean, () => false));
    });

    it("lets node-promoter label candidates and controllers, with the known values", async () => {
        for (const node of [candidate, "c-controller-0"]) {
            for (const member of ["joining", "leaving", null]) await label(promoter, node, { [memberLabel]: member });
            for (const role of ["", null]) await label(promoter, node, { [controllerLabel]: role });
        }
        await assert.rejects(() => label(promoter, candidate, { [memberLabel]: "x" }), deniedMember);
        await assert.rejects(() => label(promoter, candidate, { [controllerLabel]: "x" }), deniedRole);
        await assert.rejects(() => label(promoter, candidate, { "kubernetes.io/hostname": "c-controller-0" }));
    });

    it("lets node-approver give candidates the role, which it may not remove, and not the other label", async () => {
        const approver = byCertificate(nodeApproverUser, "nothing");
        await label(approver, candidate, { [controllerLabel]: "" });
        for (const role of [null, "x"]) {
            await assert.rejects(() => label(approver, candidate, { [controllerLabel]: role }), deniedRole);
        }
        await assert.rejects(() => label(approver, other, { [controllerLabel]: "" }), deniedRole);
        await assert.rejects(() => label(approver, candidate, { [memberLabel]: "joining" }), deniedMember);
        await label(promoter, candidate, { [controllerLabel]: null });
    });

    it("lets it change nothing else", async () => {
        await assert.rejects(() => label(promoter, other, { a: "b" }), forbidden);
        const forbiddenPaths = [`${system}/secrets`, `${system}/secrets/etcd-member-${candidate}`, "/api/v1/pods"];
        for (const path of forbiddenPaths) {
            await assert.rejects(() => promoter.send({ method: "GET", path }), forbidden, path);
        }
        await assert.rejects(() => patch(promoter, `${system}/configmaps/node-pools`, { data: {} }), forbidden);
    });

    it("denies both labels to kubelets and to users who may change Nodes", async () => {
        for (const who of [kubelet, editor]) {
            await assert.rejects(() => label(who, candidate, { [memberLabel]: "joining" }));
            await assert.rejects(() => label(who, candidate, { [controllerLabel]: "" }));
        }
        await label(editor, candidate, { "example.com/a": "b" });
    });

    it("denies them to a kubelet that registers its node again", async () => {
        await api.http.send({ method: "DELETE", path: `/api/v1/nodes/${candidate}` });
        const register = (labels: object) => {
            const body = { apiVersion: "v1", kind: "Node", metadata: { name: candidate, labels } };
            return kubelet.send({ method: "POST", path: "/api/v1/nodes", body });
        };
        for (const labels of [{ [memberLabel]: "joining" }, { [controllerLabel]: "" }]) {
            await assert.rejects(() => register(labels), /not allowed to set the following labels|denied request/);
        }
        await register({ "example.com/a": "b" });
    });

    it("denies the record to kubelets, and to accounts that may write ConfigMaps of kube-system", async () => {
        const promoted = { data: { [requestKey(candidate)]: "promote" } };
        const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "controllers" } };
        const create = { method: "POST", path: `${system}/configmaps`, query: { dryRun: "All" }, body } as const;
        await assert.rejects(() => kubelet.send({ method: "GET", path: record }), /forbidden/);
        await assert.rejects(() => patch(kubelet, record, promoted), /forbidden/);
        await assert.rejects(() => patch(editor, record, promoted), deniedRecord);
        await assert.rejects(() => editor.send({ method: "DELETE", path: record }), deniedRecord);
        await assert.rejects(() => editor.send({ method: "DELETE", path: `${system}/configmaps` }), deniedRecord);
        await assert.rejects(() => editor.send(create), deniedRecord);
        const other = { ...create, body: { ...body, metadata: { name: "others" } } };
        await editor.send(other);
        await patch(api.http, record, promoted);
        await patch(promoter, record, { data: { [requestKey(candidate)]: null } });
    });

    it("denies a kubelet the Secret of its member, until the control plane has placed a pod with it", async () => {
        const name = `etcd-member-${candidate}`;
        const secret = { apiVersion: "v1", kind: "Secret", metadata: { name }, stringData: { key: "text" } };
        await api.http.send({ method: "POST", path: `${system}/secrets`, body: secret });
        const read = () => kubelet.send({ method: "GET", path: `${system}/secrets/${name}` });
        await assert.rejects(read, /no relationship found between node|forbidden/);
        await write({ [candidate]: { role: "joining" } });
        await until("its static pods to be accepted", () => attempt(candidate).then(Boolean, () => false));
        const spec = { volumes: [{ name: "key", secret: { secretName: name } }] };
        await assert.rejects(() => attempt(candidate, spec), /can not create pods that reference secrets/);
        await assert.rejects(read, /no relationship found between node|forbidden/);
        const pod = {
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: "etcd-join" },
            spec: { nodeName: candidate, containers: [{ name: "one", image: "one" }], ...spec },
        };
        await api.http.send({ method: "POST", path: `${system}/pods`, body: pod });
        await until("it to be readable", () => read().then(Boolean, () => false));
    });

    it("denies a kubelet signs of life, and other changes, of other nodes", async () => {
        const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
        const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-node-lease" } };
        await api.http.send({ method: "POST", path: "/api/v1/namespaces", body: namespace }).catch(() => {});
        const lease = (name: string) => ({ apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name } });
        await api.http.send({ method: "POST", path: leases, body: lease("c-controller-0") });
        await kubelet.send({ method: "POST", path: leases, body: lease(candidate) });
        const expired = { spec: { renewTime: "2020-01-01T00:00:00.000000Z" } };
        await patch(kubelet, `${leases}/${candidate}`, expired);
        const refused = /forbidden|not allowed|can only access node lease/;
        await assert.rejects(() => patch(kubelet, `${leases}/c-controller-0`, expired), refused);
        const path = `${leases}/c-controller-0`;
        await assert.rejects(() => kubelet.send({ method: "DELETE", path }), refused);
        const status = { status: { conditions: [{ type: "Ready", status: "False" }] } };
        await assert.rejects(() => patch(kubelet, "/api/v1/nodes/c-controller-0/status", status), refused);
        await patch(kubelet, `/api/v1/nodes/${candidate}/status`, status);
    });
});
