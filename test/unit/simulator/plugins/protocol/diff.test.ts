import assert from "node:assert/strict";
import { compare, topLevel } from "../../../../../simulator/plugins/protocol/diff";
import { diffResponse } from "../../../../../simulator/plugins/protocol/responses";

describe("the comparison of properties", () => {
    const cases: [string, object, object, Record<string, string>][] = [
        ["equal objects", { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, {}],
        ["an added property", {}, { a: 1 }, { a: "add" }],
        ["a dropped property", { a: { b: 1, c: 2 } }, { a: { c: 2 } }, { "a.b": "delete" }],
        ["a changed element", { a: [1, 2] }, { a: [1, 3] }, { "a[1]": "update" }],
        ["a longer list", { a: [1] }, { a: [1, 2] }, { "a[1]": "add" }],
        ["another type of value", { a: { b: 1 } }, { a: [1] }, { a: "update" }],
        [
            "keys with punctuation",
            { "x.y/z": 1, "": 1 },
            { "x.y/z": 2, "": 2 },
            { '["x.y/z"]': "update", '[""]': "update" },
        ],
        ["undefined for absent", { a: undefined }, {}, {}],
    ];
    for (const [title, before, after, expected] of cases) {
        it(`names ${title}`, () => {
            const { changes } = compare(before, after);
            assert.deepEqual(
                Object.fromEntries(Object.entries(changes).map(([path, { kind }]) => [path, kind])),
                expected,
            );
        });
    }

    it("finds the property that a path is in", () => {
        assert.deepEqual(["a", "a.b[0]", "a[0]", '["x.y"].b', '["x\\"y"]'].map(topLevel), [
            "a",
            "a",
            "a",
            "x.y",
            'x"y',
        ]);
    });

    it("tells the engine what requires replacement", () => {
        const response = diffResponse(compare({ a: 1, b: [1] }, { a: 2, b: [2] }, (path) => path.startsWith("b")));
        assert.deepEqual(response.getReplacesList(), ["b"]);
        assert.deepEqual(response.getDiffsList(), ["a", "b"]);
    });
});
