import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import type { ApiServer } from "./apiserver";
import { failingUp, preview, up } from "./kubernetes-fixture/run";
import { shared } from "./kubernetes-fixture/shared";
import type { Engine } from "./kubernetes-fixture/stack";

// What a bootstrap does on the first controller before Pulumi takes over.
const BOOTSTRAP = "tradewind-bootstrap";

describe("the kubernetes stand-in, adopting objects applied by a bootstrap", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let engine: Engine;
    let count = 0;

    before(async () => {
        [api, engine] = await shared();
    });

    const configMap = (name: string, data: Record<string, string>): KubernetesObject => {
        return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data };
    };
    const apply = (name: string, data: Record<string, string>, force = false) =>
        api.cluster.apply(configMap(name, data), { fieldManager: BOOTSTRAP, force });
    const dataOf = async (name: string) => (await api.cluster.get(configMap(name, {}))).data;
    const program =
        (
            name: string,
            data: Record<string, string>,
            annotations?: Record<string, string>,
            args: k8s.ProviderArgs = { upsertExistingObjects: true },
        ) =>
        async () => {
            const mutable = { enableConfigMapMutable: true, clusterIdentifier: "test" };
            const provider = new k8s.Provider("cluster", { kubeconfig: api.kubeconfig, ...mutable, ...args });
            new k8s.core.v1.ConfigMap("adopted", { metadata: { name, annotations }, data }, { provider });
        };
    const sameManager = { "pulumi.com/patchFieldManager": BOOTSTRAP };
    const freshName = () => `adopted-${count++}`;

    it("passes the preview of an existing object, and fails to create it", async () => {
        const name = freshName();
        await apply(name, { a: "1" });
        const plain = program(name, { a: "1" }, undefined, {});
        const stack = await engine.stack(plain);
        assert.deepEqual((await preview(stack, plain)).changes, { create: 3 });
        assert.match(
            await failingUp(stack, plain),
            /configmaps "adopted-\d+" already exists.* set upsertExistingObjects on the provider/,
        );
    });

    it("adopts with the bootstrap's field manager: new values win, dropped fields are removed, no conflict", async () => {
        const name = freshName();
        await apply(name, { a: "bootstrap", b: "dropped later", c: "dropped now" });
        const adopting = program(name, { a: "pulumi", b: "dropped later" }, sameManager);
        const stack = await engine.stack(adopting);
        assert.deepEqual((await preview(stack, adopting)).changes, { create: 3 });
        await up(stack, adopting);
        assert.deepEqual(await dataOf(name), { a: "pulumi", b: "dropped later" });
        assert.deepEqual((await preview(stack, adopting)).changes, {});
        await up(stack, program(name, { a: "pulumi" }, sameManager));
        assert.deepEqual(await dataOf(name), { a: "pulumi" });
    });

    it("loses its values silently to a bootstrap that applies again", async () => {
        const name = freshName();
        await apply(name, { a: "bootstrap" });
        const adopting = program(name, { a: "pulumi" }, sameManager);
        await up(await engine.stack(adopting), adopting);
        await apply(name, { a: "bootstrap" });
        assert.deepEqual(await dataOf(name), { a: "bootstrap" });
    });

    it("conflicts with the bootstrap without its field manager", async () => {
        const name = freshName();
        await apply(name, { a: "bootstrap" });
        const foreign = program(name, { a: "pulumi" });
        const printed = await failingUp(await engine.stack(foreign), foreign);
        assert.match(printed, /Apply failed with 1 conflict: conflict with "tradewind-bootstrap": \.data\.a/);
    });

    it("leaves dropped fields forever when it forces ownership", async () => {
        const name = freshName();
        await apply(name, { a: "bootstrap", b: "stays" });
        const args = { upsertExistingObjects: true, enablePatchForce: true };
        const forcing = program(name, { a: "pulumi", b: "stays" }, undefined, args);
        const stack = await engine.stack(forcing);
        await up(stack, forcing);
        await up(stack, program(name, { a: "pulumi" }, undefined, args));
        assert.deepEqual(await dataOf(name), { a: "pulumi", b: "stays" });
    });

    it("hands its fields from one manager to the next", async () => {
        const name = freshName();
        const first = program(name, { a: "1", b: "2" });
        const stack = await engine.stack(first);
        await up(stack, first);
        await up(stack, program(name, { a: "1" }, { "pulumi.com/patchFieldManager": "next" }));
        assert.deepEqual(await dataOf(name), { a: "1" });
        const { metadata } = await api.cluster.get(configMap(name, {}));
        assert.deepEqual(
            metadata?.managedFields?.map(({ manager }) => manager),
            ["next"],
        );
    });
});
