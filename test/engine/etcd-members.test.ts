import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { placeholderCredentials } from "../../cluster/manifests/control-plane/placeholder";
import { resolveCluster } from "../../cluster/resolve";
import { EtcdMembers } from "../../components/in-cluster/etcd";
import { at } from "../../simulator/plugins/kubernetes/object";
import { ApiServer } from "./apiserver";
import { JoiningNodes } from "./etcd-join/joining-nodes";
import { preview, up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

const cluster = resolveCluster({ name: "c", controllers: { count: 3 } });
const [first, second, third] = cluster.controllers.names as [string, string, string];

describe("EtcdMembers", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let engine: Engine;
    let nodes: JoiningNodes;
    let stack: Stack;

    /** Objects stand for the machines: different contents mean another machine. */
    const program =
        (contents: Record<string, string> = {}, desired = cluster) =>
        async () => {
            const provider = new k8s.Provider("cluster", {
                kubeconfig: api.kubeconfig,
                clusterIdentifier: "test",
                enableSecretMutable: true,
                upsertExistingObjects: true,
            });
            const machine = (name: string) =>
                new k8s.core.v1.ConfigMap(
                    name,
                    { metadata: { name }, data: { created: contents[name] ?? "once" } },
                    { provider, deleteBeforeReplace: true },
                );
            const controllers = desired.controllers.names.map((name, index) => ({
                name,
                address: `10.0.0.${11 + index}`,
                resource: machine(name),
            }));
            const credentials = pulumi.output(placeholderCredentials(cluster));
            new EtcdMembers("c", { cluster: desired, controllers, credentials, provider, deletedWith: provider });
        };

    before(async () => {
        [api, engine] = await Promise.all([
            ApiServer.start({ controllers: ["deployment-controller", "replicaset-controller"] }),
            Engine.start(),
        ]);
        nodes = new JoiningNodes(api, cluster.controllers.names);
        await nodes.start();
        stack = await engine.stack(program());
    });
    after(async () => {
        await nodes?.stop();
        engine?.stop();
        await api?.stop();
    });

    it("joins the further controllers one after another, and then allows them to run the control plane", async () => {
        nodes.events.length = 0;
        await up(stack, program());
        assert.deepEqual(
            nodes.events.filter((event) => !event.startsWith(first)),
            [`${second} joins []`, `${third} joins [${second}]`],
        );
        assert.deepEqual(await nodes.controllers(), [first, second, third]);
    });

    it("gives each of them its own Secret", async () => {
        const metadata = { name: `etcd-member-${third}`, namespace: "kube-system" };
        const secret = await api.cluster.get({ apiVersion: "v1", kind: "Secret", metadata });
        const plan = Buffer.from(String(at(secret, "data", "plan.json")), "base64").toString();
        assert.equal(JSON.parse(plan).name, third);
    });

    it("changes nothing the second time", async () => {
        assert.deepEqual((await preview(stack, program())).changes, {});
    });

    it("does nothing when a machine is replaced: the pod on its node is restarted automatically", async () => {
        nodes.events.length = 0;
        await up(stack, program({ [third]: "twice", [first]: "twice" }));
        assert.deepEqual(nodes.events, []);
        assert.deepEqual(await nodes.controllers(), [first, second, third]);
    });

    it("only keeps the node of the last remaining controller", async () => {
        const only = resolveCluster({ name: "c" });
        await up(stack, program({ [first]: "twice" }, only));
        assert.deepEqual(await nodes.controllers(), [first]);
    });
});
