import assert from "node:assert/strict";
import fc from "fast-check";
import { parseConfig } from "../../../../../simulator/plugins/kubernetes/config";
import { compare, diff } from "../../../../../simulator/plugins/kubernetes/diff";
import { between, object } from "./diff-cases";

const config = parseConfig({}, {});

describe("the diff of an object", () => {
    it("is empty if nothing changed, whatever the cluster added", () => {
        const inputs = object("DaemonSet", "apps/v1", { spec: { template: { cpu: "0.5" } } });
        const live = object("DaemonSet", "apps/v1", { spec: { template: { cpu: "500m", dns: "x" } }, status: {} });
        assert.deepEqual(diff({ inputs, oldInputs: inputs, live }, config, false).changes, {});
    });

    it("shows what the cluster lost as in the program", () => {
        const inputs = object("Deployment", "apps/v1", { spec: { replicas: 2 } });
        const live = object("Deployment", "apps/v1", { spec: { replicas: 5 } });
        const { changes } = diff({ inputs, oldInputs: inputs, live }, config, false);
        assert.deepEqual(Object.keys(changes), ["spec.replicas"]);
    });

    it("deletes an object with a fixed name before creating another, but not one with a generated name", () => {
        const data = (x: string) => object("ConfigMap", "v1", { data: { x } });
        const autonamed = (x: string) => ({
            ...data(x),
            metadata: { name: "a", namespace: "b", annotations: { "pulumi.com/autonamed": "true" } },
        });
        assert.equal(between(data("1"), data("2")).deleteBeforeReplace, true);
        assert.equal(between(autonamed("1"), autonamed("2")).deleteBeforeReplace, false);
        assert.equal(between(data("1"), { ...data("1"), metadata: { name: "z" } }).deleteBeforeReplace, false);
    });
});

describe("the comparison of two values", () => {
    const cases: [string, object, object, Record<string, string>][] = [
        ["inserting a flag", { a: ["x", "z"] }, { a: ["x", "y", "z"] }, { "a[1]": "add" }],
        ["dropping a flag", { a: ["x", "y", "z"] }, { a: ["x", "z"] }, { "a[1]": "delete" }],
        ["changing a flag", { a: ["x", "y"] }, { a: ["x", "z"] }, { "a[1]": "update" }],
        [
            "inserting one and changing another",
            { a: ["x", "y", "z"] },
            { a: ["x", "n", "y", "w"] },
            { "a[1]": "add", "a[2]": "delete", "a[3]": "add" },
        ],
        ["inserting a container", { c: [{ n: 1 }] }, { c: [{ n: 0 }, { n: 1 }] }, { "c[0]": "add" }],
        [
            "changing a container",
            { c: [{ n: 1, i: 1 }, { n: 2 }] },
            { c: [{ n: 1, i: 2 }, { n: 2 }] },
            { "c[0].i": "update" },
        ],
        ["keys with dots", { l: { "a.b/c": 1 } }, { l: {} }, { 'l["a.b/c"]': "delete" }],
        ["a subtree", {}, { spec: { a: { b: 1 } } }, { spec: "add" }],
    ];
    for (const [title, before, after, expected] of cases) {
        it(`names exactly what differs for ${title}`, () => {
            const changes = compare(before, after, () => false);
            const kinds = Object.entries(changes).map(([path, { kind }]) => [path, kind]);
            assert.deepEqual(Object.fromEntries(kinds), expected);
        });
    }

    it("of lists of flags is enough to turn the old list into the new one", () => {
        const list = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 8 });
        fc.assert(
            fc.property(list, list, (before, after) => {
                const changes = compare({ l: before }, { l: after }, () => false);
                const index = (path: string) => Number(/\d+/.exec(path)?.[0]);
                const gone = Object.keys(changes)
                    .filter((path) => changes[path]!.kind !== "add")
                    .map(index);
                const added = Object.keys(changes)
                    .filter((path) => changes[path]!.kind !== "delete")
                    .map(index);
                const rest = before.filter((_, i) => !gone.includes(i));
                const made = after.map((item, i) => (added.includes(i) ? item : rest.shift()));
                assert.deepEqual(made, after);
                assert.deepEqual(rest, []);
            }),
        );
    });
});
