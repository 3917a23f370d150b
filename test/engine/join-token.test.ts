import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { type Approver, approveAll } from "../../agents/nodes/approver/approve";
import { signerName } from "../../agents/nodes/approver/identify";
import { joinedMachines, readJoined } from "../../agents/nodes/approver/joined";
import { withJoined } from "../../agents/nodes/serving-approver/approve";
import { issueToken, type JoinRequest, revoke } from "../../cli/join-token/request";
import { resetNode } from "../../cli/reset/reset";
import { ApiClient, patch, readKubeconfig } from "../../clients/kubernetes/api-client";
import type { ApiError } from "../../clients/kubernetes/api-error";
import { type Connection, clientOf as clientBy, connectionOf } from "../../clients/kubernetes/kubeconfig";
import type { Secret } from "../../clients/kubernetes/objects";
import { controllerLabel, poolLabel } from "../../cluster/labels";
import { resetAnnotation } from "../../cluster/machines/reset";
import { desiredNodes } from "../../cluster/manifests/nodes/desired-nodes";
import { joinedMachinesPolicy } from "../../cluster/manifests/nodes/joined-machines-policy";
import {
    admittedControllers,
    namedPools,
    nodeApprover,
    nodeApproverPlan,
    nodePoolsConfig,
} from "../../cluster/manifests/nodes/node-approver";
import { nodeRecordsPolicy } from "../../cluster/manifests/nodes/node-records-policy";
import { placementPolicy } from "../../cluster/manifests/nodes/placement-policy";
import { servingApprover } from "../../cluster/manifests/nodes/serving-approver";
import { nodeApproverUser, rbacManifests } from "../../cluster/manifests/rbac";
import { Cluster } from "../../simulator/plugins/kubernetes/cluster";
import { at } from "../../simulator/plugins/kubernetes/object";
import { currentRequests, signingRequest } from "../signing-request";
import { fakeCredentials, fixedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { mayEditConfigMaps } from "./node-editors";
import { applyAll, clientOf, permissionsOf } from "./service-account";
import { until } from "./until";

const cluster = fixedCluster({ controllers: { count: 3 }, workerPools: [{ name: "a", count: 2 }, { name: "b" }] });
const [controller] = cluster.controllers.names as [string];
const taken = { [controller]: "10.0.0.2", "c-a-0": "10.0.0.5" };
const configMaps = "/api/v1/namespaces/kube-system/configmaps";
const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

const clientRequest = (name: string, node: string, key?: KeyObject) =>
    signingRequest(name, node, signerName, "client auth", [], key);

describe("tokens of join-token, with a real kube-apiserver", function () {
    this.timeout(180_000);
    let api: ApiServer;
    let admin: ApiClient;
    let agent: ApiClient;
    /** May write every ConfigMap, as far as permissions go. */
    let editor: ApiClient;
    let approver: Approver;
    const clients: Cluster[] = [];
    let count = 0;

    const issue = (node: string, more: Partial<JoinRequest> = {}) =>
        issueToken(admin, { node, pool: "a", seconds: 3600, address: `10.0.0.${50 + count++}`, ...more }, taken);
    /** The API as accessed with a bootstrap token. */
    const by = (token: string) => {
        const { server, ca } = connectionOf(api.kubeconfig, {});
        const client = new Cluster({ server, ca, token } as Connection);
        clients.push(client);
        return client;
    };
    const asks = async (token: string, node: string, key: KeyObject = newKey()) => {
        const name = `request-${count++}`;
        await by(token).create(clientRequest(name, node, key), { fieldManager: "kubelet" });
        return name;
    };
    const isApproved = async (name: string) => {
        const conditions = at(await api.cluster.get(clientRequest(name, name)), "status", "conditions") ?? [];
        return (conditions as { type: string }[]).some(({ type }) => type === "Approved");
    };
    const approve = () => approveAll(approver, true);
    /** Whether a request is approved. */
    const admits = async (token: string, node: string, key?: KeyObject) => {
        const name = await asks(token, node, key);
        await approve();
        return isApproved(name);
    };
    const isRejected = async (token: string) => {
        const { server, ca } = connectionOf(api.kubeconfig, {});
        const client = new ApiClient(server, () => ({ ca: ca?.toString(), token }));
        const error = await client.closeAfter((each) => each.call("/api/v1/nodes")).catch((problem) => problem);
        return (error as ApiError).status === 401;
    };
    const kubelet = (node: string) => {
        const client = clientBy(connectionOf(api.kubeconfigOf(`system:node:${node}`, "system:nodes"), {}), "kubelet");
        return {
            register: (labels: object, query = "") =>
                client.call(`/api/v1/nodes${query}`, { method: "POST", body: { metadata: { name: node, labels } } }),
            patch: (body: object) => patch(client, `/api/v1/nodes/${node}`, "merge", body),
            close: () => client.reconnect(),
        };
    };
    const resets = (node: string, more = {}) =>
        resetNode(admin, {
            node,
            timeoutSeconds: 1,
            isLost: false,
            log: () => undefined,
            everyMilliseconds: 10,
            ...more,
        });

    before(async () => {
        api = await ApiServer.start({ flags: { apiserver: ["--enable-bootstrap-token-auth=true"], controllers: [] } });
        const manifests = [
            ...nodeApprover(cluster, fakeCredentials(cluster), { agent: "text" }),
            ...servingApprover(cluster, "text"),
        ];
        const all = [
            ...rbacManifests(cluster),
            ...permissionsOf(manifests),
            ...placementPolicy(cluster),
            ...joinedMachinesPolicy(cluster),
            ...nodeRecordsPolicy(cluster),
            nodePoolsConfig(namedPools(cluster)),
            admittedControllers([]),
            ...desiredNodes(cluster),
        ];
        await applyAll(
            api,
            all.filter(({ metadata }) => metadata.namespace !== "kube-public"),
        );
        await applyAll(api, mayEditConfigMaps("editor"));
        editor = clientBy(connectionOf(api.kubeconfigOf("editor", "editors"), {}), "editor");
        await until("the policies to be in force", async () => {
            const body = { metadata: { name: joinedMachines } };
            const denied = editor.call(`${configMaps}?dryRun=All`, { method: "POST", body });
            return String(await denied.catch(String)).includes("decides which machines are nodes");
        });
        admin = clientBy(connectionOf(api.kubeconfig, {}), "test");
        const { server, credentials } = readKubeconfig(api.kubeconfigOf(nodeApproverUser, "nothing"));
        agent = new ApiClient(server, () => credentials, "node-approver");
        approver = {
            api: agent,
            plan: nodeApproverPlan(cluster),
            ask: async () => [],
            logged: new Map(),
            requests: () => currentRequests(agent, signerName),
        };
    });
    after(async () => {
        agent?.reconnect();
        admin?.reconnect();
        editor?.reconnect();
        for (const client of clients) client.close();
        await api?.stop();
    });

    it("admit the machine that they are for, with the permissions that the stack grants the approver", async () => {
        const { token } = await issue("rack-1");
        assert.equal(await admits(token, "rack-1"), true);
        assert.ok((await readJoined(admin)).machines["rack-1"]?.joined);
    });

    it("admit no other name: of the pool, another pool, a controller, or another token's", async () => {
        const { token } = await issue("rack-2");
        await issue("rack-3", { pool: "b" });
        for (const name of ["c-a-0", "c-a-9", "c-b-0", controller, "c-controller-9", "rack-3", "phantom"]) {
            assert.equal(await admits(token, name), false, name);
        }
        assert.equal(await admits(token, "rack-2"), true);
    });

    it("admit one machine only, which may repeat its request", async () => {
        const { token } = await issue("rack-4");
        const key = newKey();
        const names = [
            await asks(token, "rack-4", key),
            ...(await Promise.all([1, 2].map(() => asks(token, "rack-4")))),
        ];
        const agents = [1, 2, 3].map(() => ({ ...approver, logged: new Map<string, string>() }));
        await Promise.all(agents.map((each) => approveAll(each, true)));
        await approve();
        const approved = await Promise.all(names.map(isApproved));
        assert.equal(approved.filter(Boolean).length, 1, String(approved));
        assert.equal(await admits(token, "rack-4"), false);
        // Of the three, the first counts, unless another agent was faster.
        if (approved[0]) assert.equal(await admits(token, "rack-4", key), true);
    });

    it("admit nothing once they are revoked, not even what was requested before", async () => {
        const { token } = await issue("rack-5");
        const name = await asks(token, "rack-5");
        await revoke(admin, "rack-5");
        await approve();
        assert.equal(await isApproved(name), false);
        await until("the token to be rejected", () => isRejected(token));
        await assert.rejects(revoke(admin, "rack-5"), /there is no token for rack-5/);
        await assert.rejects(revoke(admin, "rack-1"), /rack-1 joined at .*tradewind reset rack-1/);
    });

    it("end when another one is issued for the name", async () => {
        const { token: first } = await issue("rack-6");
        const early = await asks(first, "rack-6");
        const { token: second, isReplaced } = await issue("rack-6");
        assert.equal(isReplaced, true);
        await until("the first to be rejected", () => isRejected(first));
        await approve();
        assert.equal(await isApproved(early), false);
        assert.equal(await admits(second, "rack-6"), true);
        assert.equal(await isApproved(early), false);
    });

    it("expire, also for a request that waits, and are then removed", async () => {
        const { token } = await issue("rack-7", { seconds: 3 });
        const name = await asks(token, "rack-7");
        await until("the token to be rejected", () => isRejected(token));
        await approve();
        assert.equal(await isApproved(name), false);
        await issue("rack-8");
        assert.equal((await readJoined(admin)).machines["rack-7"], undefined);
        const { items } = await admin.call<{ items: Secret[] }>("/api/v1/namespaces/kube-system/secrets");
        const texts = items.map(({ data = {} }) => Buffer.from(data.description ?? "", "base64").toString());
        assert.deepEqual(texts.sort(), ["machine rack-3", "machine rack-8"]);
    });

    it("are not made for pools of controllers by hand either", async () => {
        const { token } = await issue("rack-9", { pool: "controller" });
        assert.equal(await admits(token, "rack-9"), false);
        await revoke(admin, "rack-9");
    });

    it("are refused for names and addresses that others have", async () => {
        await assert.rejects(issue("rack-1"), /rack-1 has joined already; tradewind reset rack-1/);
        await assert.rejects(issue("rack-10", { address: "10.0.0.2" }), /10\.0\.0\.2 is an address of c-controller-0/);
        const { "rack-1": machine } = (await readJoined(admin)).machines;
        const address = machine!.addresses[0]!;
        await assert.rejects(issue("rack-10", { address }), /is an address of rack-1/);
        await admin.call("/api/v1/nodes", { method: "POST", body: { metadata: { name: "old" } } });
        await assert.rejects(issue("old"), /there is a Node old already/);
    });

    it("are recorded where only administrators and the approver can write", async () => {
        const entry = { pool: "a", addresses: ["10.0.0.99"], token: "abcdef", expires: "2099-01-01T00:00:00Z" };
        const data = { phantom: JSON.stringify(entry) };
        await issue("rack-12");
        try {
            for (const name of [joinedMachines, "node-pools", "admitted-controllers"]) {
                const denied = new RegExp(`the ConfigMap ${name} decides which machines are nodes or controllers`);
                await assert.rejects(patch(editor, `${configMaps}/${name}`, "merge", { data }), denied);
                await assert.rejects(editor.call(`${configMaps}/${name}`, { method: "DELETE" }), denied);
            }
            await assert.rejects(editor.call(configMaps, { method: "DELETE" }), /decides which machines are nodes/);
            const create = (name: string) =>
                editor.call(configMaps, {
                    method: "POST",
                    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name } },
                });
            await assert.rejects(create(joinedMachines), /decides which machines are nodes/);
            await create("others");
            await assert.rejects(agent.call(`${configMaps}/${joinedMachines}`, { method: "DELETE" }), /forbidden/);
            await assert.rejects(patch(agent, `${configMaps}/node-pools`, "merge", { data }), /forbidden/);
        } finally {
            await revoke(admin, "rack-12");
        }
    });

    it("are for one pool: the kubelet registers in it alone, and not as a controller", async () => {
        const own = kubelet("rack-1");
        const denied = /must be the pool that the machine's token is for/;
        await until("the policy to be in force", () =>
            own.register({ [poolLabel]: "b" }, "?dryRun=All").then(
                () => false,
                (error) => denied.test(String(error)),
            ),
        );
        await assert.rejects(own.register({}), denied);
        await assert.rejects(own.register({ [poolLabel]: "controller" }), /must (be|stay) the/);
        await assert.rejects(own.register({ [poolLabel]: "a", [controllerLabel]: "" }), /control-plane/);
        await own.register({ [poolLabel]: "a" });
        const label = { metadata: { labels: { [poolLabel]: "b" } } };
        await assert.rejects(own.patch(label), /must stay the node's pool/);
        own.close();
    });

    it("let the kubelet have serving certificates for the addresses that were given, by the approver's own account", async () => {
        const account = await clientOf(api, "serving-approver");
        const { machines } = await readJoined(account);
        account.reconnect();
        const all = withJoined({ "c-a-0": ["10.0.0.5"], "rack-1": ["10.9.9.9"] }, machines);
        assert.deepEqual(all["rack-2"], machines["rack-2"]!.addresses);
        assert.deepEqual([all["c-a-0"], all["rack-1"]], [["10.0.0.5"], ["10.9.9.9"]], "the stack's come first");
    });

    it("are what reset is for: others are refused", async () => {
        await assert.rejects(resets("c-a-0"), /c-a-0 is a machine of the stack: make its pool smaller/);
        await assert.rejects(resets(controller), /c-controller-0 is a controller: change controllers\.count/);
        await assert.rejects(resets("nothing"), /there is no Node nothing/);
        await assert.rejects(resets("rack-3"), /rack-3 has not joined yet; tradewind join-token rack-3 --revoke/);
    });

    it("can be issued again after a reset, and a lost machine cannot register meanwhile", async () => {
        await assert.rejects(resets("rack-1"), /rack-1 is not Ready\..*systemctl start reset-machine\.service/);
        assert.match(await resets("rack-1", { isLost: true }), /cannot register again/);
        const own = kubelet("rack-1");
        const denied = (error: unknown) => /must be the pool/.test(String(error));
        await until("the machine to be refused", () =>
            own.register({ [poolLabel]: "a" }, "?dryRun=All").then(() => false, denied),
        );
        const { token } = await issue("rack-1");
        assert.equal(await admits(token, "rack-1"), true);
        await until("the next one to be accepted", () =>
            own.register({ [poolLabel]: "a" }).then(
                () => true,
                () => false,
            ),
        );
        // As the machine does at the end of its own reset.
        await own.patch({ metadata: { annotations: { [resetAnnotation]: "done" } } });
        own.close();
        assert.match(await resets("rack-1"), /nothing of the cluster is left on its machine/);
        assert.equal((await readJoined(admin)).machines["rack-1"], undefined);
    });
});
