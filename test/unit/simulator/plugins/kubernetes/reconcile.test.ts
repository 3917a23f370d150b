import assert from "node:assert/strict";
import fc from "fast-check";
import { reconcile } from "../../../../../simulator/plugins/kubernetes/reconcile";

describe("the live values of a program's inputs", () => {
    it("leave out what the cluster added", () => {
        const inputs = { metadata: { name: "a" }, spec: { replicas: 1 } };
        const live = { metadata: { name: "a", uid: "1" }, spec: { replicas: 3, paused: false }, status: {} };
        assert.deepEqual(reconcile(inputs, live, "drop"), { metadata: { name: "a" }, spec: { replicas: 3 } });
    });

    it("keep the program's spelling of the same quantity", () => {
        const inputs = { spec: { cpu: "0.5" } };
        assert.deepEqual(reconcile(inputs, { spec: { cpu: "500m" } }, "drop"), inputs);
    });

    it("match named items of a list by name, others by position", () => {
        const inputs = { spec: { containers: [{ name: "b", image: "1" }, { name: "c" }], args: [{ x: 1 }] } };
        const live = {
            spec: {
                containers: [{ name: "injected" }, { name: "b", image: "2", tty: false }, { name: "c" }],
                args: [{ x: 2, y: 3 }, { x: 4 }],
            },
        };
        assert.deepEqual(reconcile(inputs, live, "drop"), {
            spec: { containers: [{ name: "b", image: "2" }, { name: "c" }], args: [{ x: 2 }] },
        });
    });

    it("contain a list of flags as on the cluster", () => {
        assert.deepEqual(reconcile({ a: ["--x"] }, { a: ["--x", "--y"] }, "drop"), { a: ["--x", "--y"] });
    });

    it("drop or keep what is missing, but always keep what is empty, which the API omits", () => {
        const inputs = { metadata: { labels: { removed: "x" } }, spec: { nodeSelector: {}, hostNetwork: false } };
        const live = { metadata: { labels: {} }, spec: {} };
        assert.deepEqual(reconcile(inputs, live, "drop"), { ...inputs, metadata: { labels: {} } });
        assert.deepEqual(reconcile(inputs, live, "keep"), inputs);
    });

    it("find the text of a Secret in its data", () => {
        const inputs = { stringData: { password: "old" } };
        const live = { data: { password: Buffer.from("new").toString("base64") } };
        assert.deepEqual(reconcile(inputs, live, "drop"), { stringData: { password: "new" } });
    });

    it("equal the program's object if the cluster has it as written, whatever it added", () => {
        const objects = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.parse(JSON.stringify(value)));
        fc.assert(
            fc.property(objects, (object) => {
                assert.deepEqual(reconcile(object, object, "keep"), object);
                assert.deepEqual(reconcile(object, { added: { by: "the cluster" }, ...object }, "keep"), object);
            }),
        );
    });
});
