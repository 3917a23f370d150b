import assert from "node:assert/strict";
import { type Approver, approveAll } from "../../agents/nodes/approver/approve";
import { grantRoles } from "../../agents/nodes/approver/grant-roles";
import { signerName } from "../../agents/nodes/approver/identify";
import { restorePools } from "../../agents/nodes/approver/restore-pools";
import { ApiClient, readKubeconfig } from "../../clients/kubernetes/api-client";
import { connectionOf } from "../../clients/kubernetes/kubeconfig";
import { leavingAnnotation } from "../../clients/kubernetes/nodes";
import { controllerLabel, poolLabel } from "../../cluster/labels";
import {
    admittedControllers,
    namedPools,
    nodeApprover,
    nodeApproverPlan,
    nodePoolsConfig,
} from "../../cluster/manifests/nodes/node-approver";
import { placementPolicy } from "../../cluster/manifests/nodes/placement-policy";
import { clusterBinding, nodeApproverUser, poolGroup, rbacManifests, subjects } from "../../cluster/manifests/rbac";
import type { PooledMachines } from "../../components/in-cluster/nodes";
import { Cluster } from "../../simulator/plugins/kubernetes/cluster";
import { at, type KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { currentRequests, signingRequest } from "../signing-request";
import { fakeCredentials, fixedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { applyAll, permissionsOf } from "./service-account";
import { until } from "./until";

const cluster = fixedCluster({ controllers: { count: 3 }, workerPools: [{ name: "a", count: 3 }, { name: "g" }] });
const [first, second, third] = cluster.controllers.names as [string, string, string];
const instance = (index: number) => `i-${String(index).padStart(17, "0")}`;
const pooled: PooledMachines = {
    groups: { g: "c-g" },
    instances: {
        ec2: "https://ec2.example",
        region: "eu-central-1",
        namePattern: "^i-[0-9a-f]{17}$",
        domain: ".eu-central-1.compute.internal",
    },
};

describe("node-approver with a real kube-apiserver, alongside Kubernetes' own approver", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let agent: ApiClient;
    let approver: Approver;
    const clients: Cluster[] = [];
    /** Groups of instances, as returned by EC2. */
    const logged = new Map<string, string>();

    /** The API as accessed with a token. */
    const holder = (group: string) => {
        const client = new Cluster(connectionOf(api.kubeconfigOf(`system:bootstrap:${clients.length}`, group), {}));
        clients.push(client);
        return client;
    };
    const conditionsOf = async (name: string) =>
        (at(await api.cluster.get(signingRequest(name, name, signerName, "client auth")), "status", "conditions") ??
            []) as {
            type: string;
            reason: string;
        }[];
    const reasons = async (...names: string[]) =>
        (await Promise.all(names.map(conditionsOf))).map((conditions) => conditions.map(({ reason }) => reason).join());
    const approve = () => approveAll(approver, true);
    const ask = (by: Cluster, name: string, node: string) =>
        by.create(signingRequest(name, node, signerName, "client auth"), { fieldManager: "kubelet" });
    const nodeOf = (name: string, { labels = {}, annotations = {} } = {}) => ({
        apiVersion: "v1",
        kind: "Node",
        metadata: { name, labels, annotations },
    });
    const roleOf = async (name: string) =>
        at(await api.cluster.get(nodeOf(name) as KubernetesObject), "metadata", "labels", controllerLabel);

    before(async () => {
        api = await ApiServer.start({ controllers: ["certificatesigningrequest-approving-controller"] });
        const manifests = nodeApprover(cluster, fakeCredentials(cluster), { agent: "text" });
        const pools = { ...namedPools(cluster, ["g"]).pools, g: { group: "c-g" } };
        const all = [
            ...rbacManifests(cluster),
            ...permissionsOf(manifests),
            clusterBinding(
                "test:kubernetes-renews",
                "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
                subjects.user("system:node:c-a-9"),
            ),
            ...placementPolicy(cluster),
            nodePoolsConfig({ pools, instances: pooled.instances }),
            admittedControllers([first, second]),
        ];
        await applyAll(
            api,
            all.filter(({ metadata }) => metadata.namespace !== "kube-public"),
        );
        const kubeconfig = JSON.parse(api.kubeconfigOf(nodeApproverUser, "nothing"));
        const { credentials } = readKubeconfig(JSON.stringify(kubeconfig));
        agent = new ApiClient(kubeconfig.clusters[0].cluster.server, () => credentials, "node-approver");
        approver = {
            api: agent,
            plan: nodeApproverPlan(cluster),
            ask: async (ids) =>
                ids.flatMap((id) => {
                    const group = logged.get(id);
                    const xml = `<key>aws:autoscaling:groupName</key><value>${group}</value>`;
                    return group === undefined ? [] : [{ id, state: "running", xml }];
                }),
            logged: new Map(),
            requests: () => currentRequests(agent, signerName),
        };
    });
    after(async () => {
        agent?.reconnect();
        for (const client of clients) client.close();
        await api?.stop();
    });

    it("approves a machine of the stack, with the permissions that the stack grants it", async () => {
        await ask(holder(poolGroup("a")), "worker", "c-a-0");
        await ask(holder(poolGroup("controller")), "controller", first);
        await approve();
        assert.deepEqual(await reasons("worker", "controller"), ["TradewindNodeApprover", "TradewindNodeApprover"]);
    });

    it("approves no controller with a worker's token, nor does Kubernetes", async () => {
        const worker = holder(poolGroup("a"));
        await ask(worker, "as-controller", second);
        await ask(worker, "as-phantom", "phantom");
        // Kubernetes' own approver has processed both by then: here it may approve a renewal of this node.
        const node = new Cluster(connectionOf(api.kubeconfigOf("system:node:c-a-9", "system:nodes"), {}));
        clients.push(node);
        await ask(node, "renewal", "c-a-9");
        await until("Kubernetes' own approval", async () => (await conditionsOf("renewal")).length > 0);
        await approve();
        assert.deepEqual(await reasons("as-controller", "as-phantom"), ["", ""]);
    });

    it("approves one machine per name at a time, even with several agents", async () => {
        const own = holder(poolGroup("a"));
        await Promise.all(["one", "two", "three", "four"].map((name) => ask(own, name, "c-a-1")));
        const agents = Array.from({ length: 3 }, () => ({ ...approver, logged: new Map<string, string>() }));
        await Promise.all(agents.map((each) => approveAll(each, true)));
        await approve();
        const all = await reasons("one", "two", "three", "four");
        assert.deepEqual(all.sort(), ["", "", "", "TradewindNodeApprover"]);
    });

    it("approves an instance if EC2 confirms its group, and checks again one that EC2 does not know", async () => {
        const member = holder(poolGroup("g"));
        logged.set(instance(2), "other");
        await ask(member, "unknown", instance(1));
        await ask(member, "another-group", instance(2));
        await ask(member, "group-as-controller", second);
        await approve();
        assert.deepEqual(await reasons("unknown", "another-group", "group-as-controller"), ["", "", ""]);
        logged.set(instance(1), "c-g");
        await approve();
        assert.deepEqual(await reasons("unknown", "another-group"), ["TradewindNodeApprover", ""]);
    });

    it("renews certificates of the stack's machines, none of removed ones, and none in another name", async () => {
        const renewing = async (name: string, by: string, node = by) => {
            const client = new Cluster(connectionOf(api.kubeconfigOf(`system:node:${by}`, "system:nodes"), {}));
            clients.push(client);
            await ask(client, name, node);
        };
        logged.set(instance(3), "c-g");
        logged.set(instance(4), "other");
        await renewing("renews-listed", "c-a-0");
        await renewing("renews-removed", "c-a-7");
        await assert.rejects(
            renewing("renews-other", "c-a-0", second),
            /can only create a node CSR with CN=system:node:c-a-0/,
        );
        await renewing("renews-member", instance(3));
        await renewing("renews-stranger", instance(4));
        await renewing("renews-terminated", instance(5));
        await approve();
        const renewed = "TradewindNodeApprover";
        assert.deepEqual(await reasons("renews-listed", "renews-removed"), [renewed, ""]);
        assert.deepEqual(await reasons("renews-member", "renews-stranger", "renews-terminated"), [renewed, "", ""]);
        // While EC2 does not answer, nothing is renewed.
        await renewing("renews-later", instance(3));
        await approveAll({ ...approver, ask: () => Promise.reject(new Error("timeout")) }, true);
        assert.deepEqual(await reasons("renews-later"), [""]);
        await approve();
        assert.deepEqual(await reasons("renews-later"), [renewed]);
    });

    it("gives a returning controller its role, and none to others", async () => {
        const labels = { [poolLabel]: "controller" };
        const leaving = { labels, annotations: { [leavingAnnotation]: "true" } };
        for (const node of [
            nodeOf(first, { labels }),
            nodeOf(second, leaving),
            nodeOf(third, { labels }),
            nodeOf("c-a-0", { labels }),
            nodeOf("phantom", { labels }),
        ]) {
            await api.cluster.create(node as KubernetesObject, { fieldManager: "kubelet" });
        }
        await grantRoles(agent, nodeApproverPlan(cluster));
        const roles = await Promise.all([first, second, third, "c-a-0", "phantom"].map(roleOf));
        assert.deepEqual(roles, ["", undefined, undefined, undefined, undefined]);
    });

    it("restores the pool label of the stack's nodes, also of a controller that lost it with its role", async () => {
        const poolsOf = async (...names: string[]) =>
            Promise.all(
                names.map(async (name) =>
                    at(await api.cluster.get(nodeOf(name) as KubernetesObject), "metadata", "labels", poolLabel),
                ),
            );
        for (const node of [nodeOf("c-a-1"), nodeOf(instance(8), { labels: { [poolLabel]: "other" } })]) {
            await api.cluster.create(node as KubernetesObject, { fieldManager: "kubelet" });
        }
        const lost = { metadata: { labels: { [poolLabel]: null, [controllerLabel]: null } } };
        const contentType = "application/merge-patch+json";
        await api.http.send({ method: "PATCH", path: `/api/v1/nodes/${first}`, contentType, body: lost });
        await restorePools(agent, nodeApproverPlan(cluster));
        assert.deepEqual(await poolsOf("c-a-0", "c-a-1", first, instance(8), "phantom"), [
            ...["a", "a", "controller", "other", "controller"],
        ]);
        await grantRoles(agent, nodeApproverPlan(cluster));
        assert.equal(await roleOf(first), "");
    });

    it("cannot give the role to another name, nor remove it", async () => {
        const patch = (name: string, role: string | null, query = "") =>
            agent.call(`/api/v1/nodes/${name}${query}`, {
                method: "PATCH",
                contentType: "application/merge-patch+json",
                body: { metadata: { labels: { [controllerLabel]: role } } },
            });
        // On a busy machine, kube-apiserver takes seconds to enforce a new policy.
        await until("the policy to be in force", () =>
            patch("c-a-0", "", "?dryRun=All").then(
                () => false,
                () => true,
            ),
        );
        for (const [name, role] of [
            ["c-a-0", ""],
            ["phantom", ""],
            [first, null],
            [third, "other"],
        ] as const) {
            await assert.rejects(patch(name, role), /brings the control plane/, `${name} ${role}`);
        }
        await patch(third, "");
    });

    it("has no role that makes Kubernetes approve a node's first certificate", async () => {
        const bindings = await api.http.send({
            method: "GET",
            path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        });
        assert.match(JSON.stringify(bindings), /"tradewind:node-bootstrapper"/);
        assert.doesNotMatch(JSON.stringify(bindings), /"[^"]*:nodeclient"/);
    });
});
