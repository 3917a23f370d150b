import assert from "node:assert/strict";
import fc from "fast-check";
import { mergePatch } from "../../../../../simulator/plugins/kubernetes/update";

type Json = Record<string, unknown>;

describe("a merge patch", () => {
    it("contains additions and changes, and null for removals", () => {
        const before = { a: 1, b: { c: 2, d: 3 }, e: [1] };
        assert.deepEqual(mergePatch(before, { a: 1, b: { c: 4 }, f: 5, e: [2] }), {
            b: { c: 4, d: null },
            e: [2],
            f: 5,
        });
    });

    it("transforms any object into any other", () => {
        const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.array(fc.integer()));
        const key = fc.constantFrom("a", "b", "c");
        const object = fc
            .dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf)))
            .map((value) => ({ ...value }) as Json);
        fc.assert(
            fc.property(object, object, (before, after) => {
                assert.equal(sorted(apply(before, mergePatch(before, after))), sorted(after));
            }),
        );
    });
});

// RFC 7386, section 2.
function apply(target: unknown, patch: unknown): unknown {
    if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
    const isObject = typeof target === "object" && target !== null && !Array.isArray(target);
    const result: Json = isObject ? { ...target } : {};
    for (const [key, value] of Object.entries(patch)) {
        if (value === null) delete result[key];
        else result[key] = apply(result[key], value);
    }
    return result;
}

function sorted(value: unknown): string {
    return JSON.stringify(value, (_, inner) =>
        inner && typeof inner === "object" && !Array.isArray(inner)
            ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
            : inner,
    );
}
