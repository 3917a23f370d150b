import assert from "node:assert/strict";
import { decodeYaml } from "../../../../../simulator/plugins/kubernetes/provider";

describe("a YAML text", () => {
    it("contains objects, including those in lists, in the default namespace if they need one", () => {
        const text = [
            "apiVersion: v1\nkind: Node\nmetadata: {name: a}",
            "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: b}}",
            "# nothing",
            "apiVersion: v1\nkind: Secret\nmetadata: {name: c, namespace: d}",
        ].join("\n---\n");
        const places = decodeYaml({ text, defaultNamespace: "apps" }).map(({ metadata }) => metadata);
        assert.deepEqual(places, [{ name: "a" }, { name: "b", namespace: "apps" }, { name: "c", namespace: "d" }]);
    });

    it("is rejected if it is not valid", () => {
        assert.throws(() => decodeYaml({ text: "a: [" }), /text must be YAML/);
    });
});
