import assert from "node:assert/strict";
import { Command } from "@pulumi/command/local";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation";
import { bundleAgent } from "../../bundling/agents";
import { fieldManager, type Manifest, owned } from "../../cluster/manifest";
import { addons } from "../../cluster/manifests/addons";
import { controlPlane, controlPlaneBase } from "../../cluster/manifests/control-plane";
import { bootstrapTokenSecret } from "../../cluster/manifests/nodes/bootstrap-tokens";
import { poolGroup } from "../../cluster/manifests/rbac";
import { UpgradeOrder } from "../../cluster/upgrades/order";
import { SelfHosted } from "../../components/in-cluster/control-plane";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { fakeCredentials, fixedCluster, versionedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { FakeNode } from "./kubernetes-fixture/fake-node";
import { preview, refresh, up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";

const CONTROLLERS = [
    "daemonset-controller",
    "deployment-controller",
    "replicaset-controller",
    "endpointslice-controller",
];

describe("the kubernetes stand-in and the objects of a self-hosted cluster", function () {
    this.timeout(120_000);
    let cluster = fixedCluster({ workerPools: [{ name: "a" }] });
    let isBack = false;
    const credentials = fakeCredentials(cluster);
    let api: ApiServer;
    let engine: Engine;
    let node: FakeNode;
    let stack: Stack;
    let generation = 1;
    const end = "2100-01-01T00:00:00Z";
    const tokenOf = (node: string) => pulumi.secret(credentials.bootstrapTokens[node]!);

    const program = async () => {
        const provider = new k8s.Provider("pivot", { kubeconfig: api.kubeconfig, clusterIdentifier: "pivot" });
        const pivot = new k8s.core.v1.ConfigMap("pivot", {}, { provider });
        // Certificates contain a machine's address.
        const machine = new Command(
            "machine",
            { create: "true", triggers: [generation] },
            { deleteBeforeReplace: true },
        );
        new SelfHosted("c", {
            cluster,
            credentials: pulumi.secret(machine.stdout.apply(() => credentials)),
            tokens: [
                {
                    pool: "controller",
                    node: "c-controller-0",
                    token: tokenOf("c-controller-0"),
                    end: pulumi.output(end),
                },
                { pool: "a", token: tokenOf("c-a-0") },
            ],
            kubeconfig: pulumi.output(api.kubeconfig),
            wasAsked: () => false,
            pivot,
            order: new UpgradeOrder(Promise.resolve(isBack)),
            deletedWith: pivot,
        });
    };
    const manifests = (): Manifest[] => [
        ...controlPlaneBase(cluster, bundleAgent("checkpointer")),
        ...controlPlane(cluster, credentials),
        ...addons(cluster),
    ];

    before(async () => {
        [api, engine] = await Promise.all([ApiServer.start({ controllers: CONTROLLERS }), Engine.start()]);
        node = new FakeNode(api);
        await node.start();
        // As created by the bootstrap: valid for a day.
        const token = bootstrapTokenSecret({ pool: "a" }, credentials.bootstrapTokens["c-a-0"]!, { expiration: end });
        for (const manifest of [...manifests(), token]) {
            const object = owned(manifest) as unknown as KubernetesObject;
            await api.cluster.apply(object, { fieldManager, force: false });
        }
        stack = await engine.stack(program);
    });

    after(async () => {
        await node?.stop();
        engine?.stop();
        await api?.stop();
    });

    it("adopts every one of them and then has nothing to change", async () => {
        await up(stack, program);
        assert.deepEqual((await preview(stack, program)).changes, {});
    });

    it("renews the token of a pool whose machines may join at any time", async () => {
        const { data } = (await api.cluster.get(
            bootstrapTokenSecret({ pool: "a" }, credentials.bootstrapTokens["c-a-0"]!) as unknown as KubernetesObject,
        )) as unknown as { data: Record<string, string> };
        assert.equal(data.expiration, undefined);
        assert.equal(Buffer.from(data["auth-extra-groups"]!, "base64").toString(), poolGroup("a"));
    });

    it("finds no changes on refresh, and still has nothing to change", async () => {
        assert.deepEqual(await refresh(stack), {});
        assert.deepEqual((await preview(stack, program)).changes, {});
    });

    it("is the only owner of what it adopted", async () => {
        for (const manifest of manifests()) {
            const live = await api.cluster.get(manifest as unknown as KubernetesObject);
            const owners = live.metadata?.managedFields?.filter(({ operation }) => operation === "Apply");
            assert.deepEqual(
                owners?.map(({ manager }) => manager),
                [fieldManager],
                manifest.metadata.name,
            );
        }
    });

    it("changes kube-apiserver last on the way back, and first the next time", async () => {
        for (const [flag, first] of [
            ["1", true],
            ["2", false],
            ["1", true],
        ] as const) {
            const v = { v: flag };
            const components = { kubeApiserver: v, kubeControllerManager: v, kubeScheduler: v };
            cluster = fixedCluster({ workerPools: [{ name: "a" }], components });
            isBack = !first;
            const { text } = await up(stack, program);
            const updated = [...text.matchAll(/daemonset\/kube-system\/(kube-\S+) updated/g)].map(([, name]) => name);
            assert.equal(updated.length, 3, text);
            assert.equal(updated.indexOf("kube-apiserver"), first ? 0 : 2, updated.join());
            assert.deepEqual((await preview(stack, program)).changes, {});
        }
    });

    it("walks back over several minor versions before the first program of the control plane changes", async () => {
        // The state alone does not show that older versions can read everything.
        const options = { workerPools: [{ name: "a" }], upgradeOverrides: ["version"] };
        for (const [version, goesBack] of [
            ["1.37.2", false],
            ["1.34.4", true],
        ] as const) {
            cluster = { ...versionedCluster(version, options), rollbackTo: "1.34" };
            isBack = goesBack;
            const { text } = await up(stack, program);
            const walked = [...text.matchAll(/(kube-\S+( and kube-scheduler)?) as (1\.\d+): done/g)];
            const steps = walked.map(([, name, , as]) => `${name} ${as}`);
            const controllers = "kube-controller-manager and kube-scheduler";
            const expected = [
                `${controllers} 1.36`,
                "kube-apiserver 1.36",
                `${controllers} 1.35`,
                "kube-apiserver 1.35",
            ];
            assert.deepEqual([...new Set(steps)], goesBack ? expected : []);
            assert.doesNotMatch(text, /undoing that/);
            assert.deepEqual((await preview(stack, program)).changes, {});
        }
    });

    it("keeps all of them while a machine is replaced", async () => {
        generation = 2;
        const { changes } = await preview(stack, program);
        // Dependents may change in place.
        assert.equal(changes.replace, 1);
    });

    it("deletes all of them", async () => {
        await stack.destroy();
        assert.doesNotMatch(engine.stateOf(stack), /kube-apiserver/);
    });
});
