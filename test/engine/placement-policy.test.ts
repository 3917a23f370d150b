import assert from "node:assert/strict";
import { type Connection, connectionOf } from "../../clients/kubernetes/kubeconfig";
import { controllerLabel, poolLabel } from "../../cluster/labels";
import { flannel } from "../../cluster/manifests/addons/flannel";
import { kubeRouterPolicy } from "../../cluster/manifests/addons/kube-router-policy";
import { nodeRemovalAccount } from "../../cluster/manifests/nodes/node-removal";
import { placementPolicy } from "../../cluster/manifests/nodes/placement-policy";
import { staticPodPolicy } from "../../cluster/manifests/nodes/static-pod-policy";
import { HttpClient } from "../../simulator/plugins/kubernetes/http";
import { at, type KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { fixedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { mayEditNodes } from "./node-editors";
import { applyAll, permissionsOf, tokenOf } from "./service-account";
import { until } from "./until";

const worker = "c-a-0";
const hostname = "kubernetes.io/hostname";
const isController = { [controllerLabel]: "" };
const deniedRole =
    /denied request: .*brings the control plane and its keys to a node: only system:masters and tradewind:administrators may change it/;
const deniedFlannel = /denied request: flannel must change the node that it runs on alone/;
const deniedFrom = (what: string) => new RegExp(`denied request: ${what}`);
const deniedPool = deniedFrom("the label node.kubernetes.io/pool must stay the node's pool");
const deniedBlock = deniedFrom("kubelets must not choose their node's pod addresses");
const deniedOverlay = deniedFrom("flannel's (hardware )?addresses of a node must be");
const deniedRoutes = deniedFrom("annotations kube-router.io/\\* of a Node configure routes of all nodes");
const deniedStatic = deniedFrom("static pods are for controllers");
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
            ...accounts.filter(({ kind }) => /^ValidatingAdmissionPolicy/.test(kind)),
            ...placementPolicy(fixedCluster()),
            ...staticPodPolicy(fixedCluster()),
            ...kubeRouterPolicy(fixedCluster()),
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
        const annotations = { "example.com/a": "b" };
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

    it("denies a kubelet every pool but its own, and to be in none", async () => {
        await label(kubelet, { [poolLabel]: "a" });
        for (const pool of ["controller", "b", "a-0", null]) {
            await assert.rejects(() => label(kubelet, { [poolLabel]: pool }), deniedPool, String(pool));
            await assert.rejects(() => label(flannelAccount, { [poolLabel]: pool }, "/status"), deniedPool);
        }
        const another = byCertificate("system:node:c-b-7", "system:nodes");
        await assert.rejects(() => create(another, "c-b-7", { [poolLabel]: "controller" }), deniedPool);
        await create(another, "c-b-7", { [poolLabel]: "b" });
        await label(administrator, { [poolLabel]: null });
        assert.equal(poolLabel in (await labels()), false);
        await label(administrator, { [poolLabel]: "a" });
    });

    it("lets the kubelet of a machine that its cloud named say its pool once, but not that of controllers", async () => {
        const name = "i-00000000000000001";
        const instance = byCertificate(`system:node:${name}`, "system:nodes");
        await assert.rejects(() => create(instance, name, { [poolLabel]: "controller" }), deniedPool);
        await create(instance, name, { [poolLabel]: "spot" });
        await assert.rejects(
            () => change(instance, { metadata: { labels: { [poolLabel]: "a" } } }, "", name),
            deniedPool,
        );
    });

    it("denies a kubelet the choice of its node's pod addresses", async () => {
        const spec = { podCIDR: "10.2.0.0/24", podCIDRs: ["10.2.0.0/24"] };
        const another = byCertificate("system:node:c-b-8", "system:nodes");
        const body = { apiVersion: "v1", kind: "Node", metadata: { name: "c-b-8" }, spec };
        const register = () => another.send({ method: "POST", path: "/api/v1/nodes", body });
        await assert.rejects(register, deniedBlock);
        await assert.rejects(() => change(kubelet, { spec }), deniedBlock);
        await change(administrator, { spec });
        await change(kubelet, { metadata: { annotations: { a: "c" } } });
    });

    describe("of flannel's network", () => {
        const prefix = "flannel.alpha.coreos.com/";
        const own = {
            [`${prefix}backend-type`]: "vxlan",
            [`${prefix}backend-data`]: '{"VNI":1,"VtepMAC":"02:f1:0a:75:51:20"}',
            [`${prefix}backend-v6-data`]: '{"VNI":1,"VtepMAC":"06:f1:00:00:00:1f"}',
            [`${prefix}kube-subnet-manager`]: "true",
            [`${prefix}public-ip`]: "10.117.81.32",
            [`${prefix}public-ipv6`]: "fd00:10:117::1f",
        };
        const annotate = (who: HttpClient, more: Record<string, string | null>) =>
            change(who, { metadata: { annotations: more } }, "/status");

        before(async () => {
            const addresses = ["10.117.81.32", "fd00:10:117::1f"].map((address) => ({ type: "InternalIP", address }));
            await change(kubelet, { status: { addresses } }, "/status");
        });

        it("allows flannel what follows from its node's addresses", async () => {
            await annotate(flannelAccount, own);
            await change(kubelet, { status: { conditions: [{ type: "Ready", status: "True" }] } }, "/status");
        });

        it("denies it, and a kubelet, another node's hardware address or address", async () => {
            const others: Record<string, string>[] = [
                { "backend-data": '{"VNI":1,"VtepMAC":"02:f1:0a:75:51:0b"}' },
                { "backend-data": '{"VNI":2,"VtepMAC":"02:f1:0a:75:51:20"}' },
                { "backend-data": '{"VNI":1,"VtepMAC":"02:F1:0A:75:51:0B"}' },
                { "backend-v6-data": '{"VNI":1,"VtepMAC":"06:f1:00:00:00:0b"}' },
                { "backend-type": "host-gw" },
                { "public-ip": "10.117.81.11" },
                { "public-ip": "10.117.81.11", "backend-data": '{"VNI":1,"VtepMAC":"02:f1:0a:75:51:0b"}' },
                { "public-ipv6": "fd00:10:117::b" },
                { "public-ip-overwrite": "10.117.81.11" },
                { "public-ipv6-overwrite": "fd00:10:117::b" },
            ];
            for (const other of others) {
                const all = Object.fromEntries(Object.entries(other).map(([key, value]) => [prefix + key, value]));
                for (const who of [kubelet, flannelAccount]) {
                    await assert.rejects(() => annotate(who, all), deniedOverlay, JSON.stringify(other));
                }
            }
        });

        it("leaves values from before the policy until they change", async () => {
            await annotate(administrator, { [`${prefix}backend-data`]: '{"VNI":1,"VtepMAC":"ae:00:00:00:00:01"}' });
            await change(kubelet, { status: { conditions: [{ type: "Ready", status: "False" }] } }, "/status");
            await annotate(flannelAccount, own);
        });
    });

    it("denies a kubelet what kube-router reads of its Node, where that is the pod network", async () => {
        const annotate = (who: HttpClient, annotations: Record<string, string | null>, path = "") =>
            change(who, { metadata: { annotations } }, path);
        for (const [key, value] of Object.entries({
            ...{
                "pod-cidr": "10.2.0.0/24",
                "pod-cidrs": "0.0.0.0/1",
                "peer.ips": "10.117.81.11",
                "peer.asns": "64512",
            },
            ...{ "rr.server": "1", "rr.client": "1", "node.asn": "64513", "node.bgp.communities": "1:1" },
            ...{ "node.bgp.customimportreject": "10.0.0.0/8", "bgp-local-addresses": "10.117.81.11" },
            ...{ "path-prepend.as": "64512", "path-prepend.repeat-n": "5" },
        })) {
            const own = { [`kube-router.io/${key}`]: value };
            for (const path of ["", "/status"]) {
                await assert.rejects(() => annotate(kubelet, own, path), deniedRoutes, key);
            }
        }
        const rejects = "kube-router.io/node.bgp.customimportreject";
        await annotate(administrator, { [rejects]: "192.0.2.0/24" });
        await change(kubelet, { status: { conditions: [{ type: "Ready", status: "True" }] } }, "/status");
        await assert.rejects(() => annotate(kubelet, { [rejects]: null }), deniedRoutes);
        await annotate(administrator, { [rejects]: null });
    });

    it("accepts static pods from kubelets of controllers only", async () => {
        const mirror = (node: string, uid: string) => ({
            apiVersion: "v1",
            kind: "Pod",
            metadata: {
                name: `static-${node}`,
                labels: { "k8s-app": "kube-dns" },
                annotations: { "kubernetes.io/config.mirror": "0" },
                ownerReferences: [{ apiVersion: "v1", kind: "Node", name: node, uid, controller: true }],
            },
            spec: { nodeName: node, containers: [{ name: "one", image: "one" }] },
        });
        const attempt = async (node: string) => {
            const who = byCertificate(`system:node:${node}`, "system:nodes");
            const found = await api.http.send({ method: "GET", path: `/api/v1/nodes/${node}` });
            const body = mirror(node, String(at(found as KubernetesObject, "metadata", "uid")));
            return who.send({ method: "POST", path: "/api/v1/namespaces/kube-system/pods", body });
        };
        await create(administrator, "c-controller-0", {});
        await attempt("c-controller-0");
        await assert.rejects(() => attempt(worker), deniedStatic);
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
