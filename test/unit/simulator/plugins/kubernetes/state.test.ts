import assert from "node:assert/strict";
import { fromApi, toApi } from "../../../../../simulator/plugins/kubernetes/object";
import { inputsOf, liveOf, recordOf } from "../../../../../simulator/plugins/kubernetes/state";
import { Secret } from "../../../../../simulator/plugins/protocol/serve";

describe("the record of an object", () => {
    const live = { apiVersion: "v1", kind: "Secret", metadata: { name: "a", uid: "1" }, data: { x: "eA==" } };
    const inputs = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, stringData: { x: "x" } };

    it("contains the live object, the inputs and the field manager, in the official plugin's format", () => {
        const state = recordOf(live, inputs, { fieldManager: "m", secrets: new Set() });
        assert.equal(state.__fieldManager, "m");
        assert.equal(state.__initialApiVersion, "v1");
        assert.deepEqual(Object.keys(liveOf(state)), Object.keys(live));
    });

    it("keeps the contents of a Secret secret, in the object and in the inputs", () => {
        const state = recordOf(live, inputs, { fieldManager: "m", secrets: new Set() });
        assert.ok(state.data instanceof Secret);
        assert.ok((state.__inputs as Record<string, unknown>).stringData instanceof Secret);
    });

    it("leaves out the owners of fields, which are many", () => {
        const owned = { ...live, metadata: { ...live.metadata, managedFields: [{ manager: "m" }] } };
        const state = recordOf(owned, inputs, { fieldManager: "m", secrets: new Set() });
        assert.deepEqual(liveOf(state).metadata, live.metadata);
    });

    it("keeps secret inputs secret", () => {
        const map = { apiVersion: "v1", kind: "ConfigMap", data: { x: "y" } };
        const state = recordOf(map, map, { fieldManager: "m", secrets: new Set(["data"]) });
        assert.ok((state.__inputs as Record<string, unknown>).data instanceof Secret);
    });

    it("returns the inputs that the plugin recorded, since the engine has those before a failed rollout", () => {
        assert.deepEqual(inputsOf({ kind: "Pod" }, { __inputs: inputs }), inputs);
        assert.deepEqual(inputsOf({ kind: "Pod" }, {}), { kind: "Pod" });
    });

    it("has the SDK's spelling, and is sent in the API's", () => {
        const sdk = { schema: [{ x_kubernetes_list_type: "set", other_name: 1 }] };
        const api = { schema: [{ "x-kubernetes-list-type": "set", other_name: 1 }] };
        assert.deepEqual(toApi(sdk), api);
        assert.deepEqual(fromApi(api), sdk);
        assert.deepEqual(toApi({ a: null, b: undefined, c: 0 }), { c: 0 });
    });
});
