import assert from "node:assert/strict";
import { resolveCluster } from "../../../../cluster/resolve";
import {
    type InClusterAfter,
    inCluster,
    kubernetesObject,
    putInOrder,
    rollout,
} from "../../../../components/in-cluster/kubernetes-object";
import { deploy } from "../../deploy";
import { Created, objectsOf, ownership } from "./owned-in-cluster";

const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "volumesnapshotclasses.snapshot.storage.k8s.io" },
    spec: {},
};
const custom = {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotClass",
    metadata: { name: "a" },
    driver: "d",
};
const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" }, data: { key: "old" } };

describe("an object under Pulumi's ownership", () => {
    it("is the manifest, marked as ours, with the fields that are known later", async () => {
        const { resources } = await deploy(() => kubernetesObject("c", manifest, {}, { data: { key: "new" } }));
        const { name, type, inputs } = resources.at(-1)!;
        assert.deepEqual([type, name], ["kubernetes:core/v1:ConfigMap", "c/configmap/b/a"]);
        assert.deepEqual(inputs.data, { key: "new" });
        assert.equal(inputs.metadata.annotations["pulumi.com/patchFieldManager"], "tradewind-bootstrap");
    });

    it("is spelled as the SDK does, if it defines a kind", async () => {
        const schema = { "x-kubernetes-map-type": "atomic", properties: { "x-y": { type: "string" } } };
        const { resources } = await deploy(() => kubernetesObject("c", { ...definition, spec: { schema } }, {}));
        const properties = { "x-y": { type: "string" } };
        assert.deepEqual(resources.at(-1)!.inputs.spec, {
            schema: { x_kubernetes_map_type: "atomic", properties },
        });
    });

    it("of a kind that nothing here makes is refused", () => {
        assert.throws(() => kubernetesObject("c", { ...manifest, kind: "Pod" }, {}), {
            message: /^a manifest's kind must be one of APIService, .* \(got Pod\)$/,
        });
    });
});

describe("a component in the cluster", () => {
    const cluster = resolveCluster({ name: "c" });
    const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j", namespace: "b" }, spec: {} };
    const Parts = inCluster("test:index:Parts", ({ after, cluster: its }: InClusterAfter, put) => {
        putInOrder(put, [job, manifest], rollout(its, 3), after);
        return "made";
    });

    it("has its type, gives what it made, and is the parent of its objects, which last as long as the cluster", async () => {
        const { result, resources } = await deploy(() => {
            const args = { cluster, after: [new Created("before")], ...ownership() };
            return { args, parts: new Parts("c", args) };
        });
        const { args, parts } = result;
        assert.equal(parts.created, "made");
        assert.ok(resources.some(({ type, name }) => type === "test:index:Parts" && name === "c"));
        for (const { opts } of objectsOf(resources)) {
            const { parent, provider, deletedWith } = opts as Record<string, unknown>;
            assert.deepEqual([parent, provider, deletedWith], [parts, args.provider, args.deletedWith]);
        }
    });

    it("creates what runs something last, with time for each wave of a rollout", async () => {
        const { resources } = await deploy(
            () => new Parts("c", { cluster, after: [new Created("before")], ...ownership() }),
        );
        const objects = objectsOf(resources);
        assert.deepEqual(
            objects.map(({ name, dependsOn }) => [name, dependsOn]),
            [
                ["c/configmap/b/a", []],
                ["c/job/b/j", ["before", "c/configmap/b/a"]],
            ],
        );
        const create = `${cluster.rolloutSeconds}s`;
        const update = `${3 * cluster.rolloutSeconds}s`;
        for (const { opts } of objects) assert.deepEqual(opts.customTimeouts, { create, update });
    });

    it("creates an object after the definition of its kind, which stays when it is left out", async () => {
        const Defined = inCluster("test:index:Defined", (_: InClusterAfter, put) =>
            putInOrder(put, [custom, job, definition, manifest]),
        );
        const { resources } = await deploy(
            () => new Defined("c", { cluster, after: [new Created("before")], ...ownership() }),
        );
        const objects = objectsOf(resources);
        const key = "c/customresourcedefinition/volumesnapshotclasses.snapshot.storage.k8s.io";
        assert.deepEqual(
            objects.map(({ name, dependsOn, opts }) => [name, dependsOn, opts.retainOnDelete ?? false]).sort(),
            [
                ["c/configmap/b/a", [], false],
                [key, [], true],
                ["c/job/b/j", [key, "c/volumesnapshotclass/a", "c/configmap/b/a"], false],
                ["c/volumesnapshotclass/a", [key], false],
            ],
        );
    });
});
