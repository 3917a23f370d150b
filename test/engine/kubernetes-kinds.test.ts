import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { ApiServer } from "./apiserver";
import { preview, up } from "./kubernetes-fixture/run";
import { shared } from "./kubernetes-fixture/shared";
import type { Engine } from "./kubernetes-fixture/stack";

describe("the kubernetes stand-in and objects of special kinds", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let engine: Engine;

    before(async () => {
        [api, engine] = await shared();
    });

    const program =
        (make: (options: CustomResourceOptions) => void, args: k8s.ProviderArgs = {}) =>
        async () => {
            const provider = new k8s.Provider("cluster", {
                kubeconfig: api.kubeconfig,
                clusterIdentifier: "test",
                enableConfigMapMutable: true,
                ...args,
            });
            make({ provider });
        };

    const live = (apiVersion: string, kind: string, name: string) =>
        api.cluster.get({ apiVersion, kind, metadata: { name, namespace: "default" } });

    it("sets only the given fields of an object with a patch, and gives them up again", async () => {
        const node = { apiVersion: "v1", kind: "Node", metadata: { name: "worker", labels: { zone: "a" } } };
        await api.cluster.create(node, { fieldManager: "kubelet" });
        const labelled = program((options) => {
            new k8s.core.v1.NodePatch("labels", { metadata: { name: "worker", labels: { disk: "fast" } } }, options);
        });
        const stack = await engine.stack(labelled);
        await up(stack, labelled);
        const labels = async () => (await api.cluster.get(node)).metadata?.labels;
        assert.deepEqual(await labels(), { zone: "a", disk: "fast" });
        await stack.destroy();
        assert.deepEqual(await labels(), { zone: "a" });
    });

    it("defines a kind and creates an object of it in one run", async () => {
        const gadgets = program((options) => {
            const versions = [
                {
                    name: "v1",
                    served: true,
                    storage: true,
                    schema: { openAPIV3Schema: { type: "object", x_kubernetes_preserve_unknown_fields: true } },
                },
            ];
            const names = { plural: "gadgets", singular: "gadget", kind: "Gadget" };
            const spec = { group: "test.tradewind.dev", names, scope: "Namespaced", versions };
            const metadata = { name: "gadgets.test.tradewind.dev" };
            new k8s.apiextensions.v1.CustomResourceDefinition("gadgets", { metadata, spec }, options);
            // The garbage collector discovers new kinds with a delay, so do not wait for it.
            const annotations = { "pulumi.com/deletionPropagationPolicy": "background" };
            const kind = { apiVersion: "test.tradewind.dev/v1", kind: "Gadget" };
            new k8s.apiextensions.CustomResource(
                "one",
                { ...kind, metadata: { name: "one", annotations }, spec: { size: 3 } },
                options,
            );
        });
        const stack = await engine.stack(gadgets);
        assert.deepEqual((await preview(stack, gadgets)).changes, { create: 4 });
        await up(stack, gadgets);
        assert.deepEqual((await live("test.tradewind.dev/v1", "Gadget", "one")).spec, { size: 3 });
        assert.deepEqual((await preview(stack, gadgets)).changes, {});
        await stack.destroy();
    });

    it("reports in preview what the API server would reject", async () => {
        const wrong = program((options) => {
            new k8s.core.v1.ConfigMap("wrong", { metadata: { name: "Not_A_Name" } }, options);
        });
        const stack = await engine.stack(wrong);
        await assert.rejects(preview(stack, wrong), /ConfigMap "Not_A_Name" is invalid: metadata.name: Invalid value/);
    });

    it("reads an existing object without owning it", async () => {
        const uids: string[] = [];
        const reading = program((options) => {
            const namespace = k8s.core.v1.Namespace.get("system", "kube-system", options);
            namespace.metadata.uid.apply((uid) => uids.push(uid));
        });
        const stack = await engine.stack(reading);
        await up(stack, reading);
        await stack.destroy();
        const { metadata } = await api.cluster.get({
            apiVersion: "v1",
            kind: "Namespace",
            metadata: { name: "kube-system" },
        });
        assert.deepEqual(uids, [metadata?.uid]);
    });

    it("leaves a namespace that cannot be deleted, but removes its own fields", async () => {
        const system = { apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-system" } };
        const labelling = program(
            (options) =>
                new k8s.core.v1.Namespace("system", { metadata: { name: "kube-system", labels: { a: "b" } } }, options),
            { upsertExistingObjects: true },
        );
        const stack = await engine.stack(labelling);
        await up(stack, labelling);
        assert.equal((await api.cluster.get(system)).metadata?.labels?.a, "b");
        assert.match((await stack.destroy()).stdout, /left in the cluster, without the fields that this program set/);
        assert.equal((await api.cluster.get(system)).metadata?.labels?.a, undefined);
    });

    it("updates without server-side apply on request", async () => {
        const plain = (data: Record<string, string>) =>
            program((options) => new k8s.core.v1.ConfigMap("plain", { metadata: { name: "plain" }, data }, options), {
                enableServerSideApply: false,
            });
        const stack = await engine.stack(plain({ a: "1", b: "2" }));
        await up(stack, plain({ a: "1", b: "2" }));
        await up(stack, plain({ a: "3" }));
        assert.deepEqual((await live("v1", "ConfigMap", "plain")).data, { a: "3" });
    });
});
