import assert from "node:assert/strict";
import type { KubernetesObject } from "../../../../../simulator/plugins/kubernetes/object";
import { type CheckOptions, check } from "../../../../../simulator/plugins/kubernetes/provider";
import { UNKNOWN } from "../../../../../simulator/plugins/protocol/serve";

const run = (inputs: KubernetesObject, options: Partial<CheckOptions> = {}) =>
    check(inputs, {
        type: "kubernetes:core/v1:ConfigMap",
        name: "settings",
        oldInputs: {},
        namespace: "apps",
        isNamespaced: async () => true,
        enableServerSideApply: true,
        ...options,
    });

describe("checked inputs", () => {
    it("have a name with a random suffix if they had none, and are marked", async () => {
        const { metadata } = (await run({ kind: "ConfigMap" })).inputs as KubernetesObject;
        assert.match(metadata?.name ?? "", /^settings-[0-9a-f]{8}$/);
        assert.equal(metadata?.annotations?.["pulumi.com/autonamed"], "true");
    });

    it("keep a generated name, but not a given one that was removed", async () => {
        const autonamed = { metadata: { name: "settings-1", annotations: { "pulumi.com/autonamed": "true" } } };
        const nameAfter = async (oldInputs: KubernetesObject) =>
            ((await run({}, { oldInputs })).inputs as KubernetesObject).metadata?.name;
        assert.equal(await nameAfter(autonamed), "settings-1");
        assert.notEqual(await nameAfter({ metadata: { name: "given" } }), "given");
    });

    it("have the provider's namespace if they name none and need one", async () => {
        const named = { metadata: { name: "a" } };
        assert.deepEqual((await run(named)).inputs, { metadata: { name: "a", namespace: "apps" } });
        assert.deepEqual((await run(named, { isNamespaced: async () => false })).inputs, named);
        const placed = { metadata: { name: "a", namespace: "b" } };
        assert.deepEqual((await run(placed)).inputs, placed);
    });

    it("keep annotations for the provider and lose what only the API server sets", async () => {
        const annotations = { "pulumi.com/skipAwait": "true" };
        const metadata = { name: "a", namespace: "b", annotations };
        assert.deepEqual((await run({ metadata: { ...metadata, uid: "1", resourceVersion: "2" } })).inputs, {
            metadata,
        });
    });

    it("are left alone if their metadata is unknown", async () => {
        const inputs = { metadata: UNKNOWN as never, data: {} };
        assert.deepEqual((await run(inputs)).inputs, inputs);
    });

    const faults: [string, KubernetesObject, Partial<CheckOptions>, RegExp][] = [
        ["a list", {}, { type: "kubernetes:core/v1:ConfigMapList" }, /got ConfigMapList\): create its items instead/],
        ["a patch without a name", {}, { type: "kubernetes:core/v1:NodePatch" }, /require `.metadata.name` to be set/],
        [
            "a patch without server-side apply",
            { metadata: { name: "a" } },
            { type: "kubernetes:core/v1:NodePatch", enableServerSideApply: false },
            /patch resources need enableServerSideApply/,
        ],
        ["a name to be generated", { metadata: { generateName: "a-" } }, {}, /generateName is not supported/],
    ];
    for (const [what, inputs, options, reason] of faults) {
        it(`are rejected for ${what}`, async () => {
            const { failures } = await run(inputs, options);
            assert.match(failures[0]?.reason ?? "", reason);
        });
    }
});
