import assert from "node:assert/strict";
import { mapValues } from "../../../cluster/manifest";

describe("a record with other values", () => {
    it("has the same keys in the same order", () => {
        const lengths = mapValues({ b: "bb", a: "a" }, (text) => text.length);
        assert.deepEqual(Object.entries(lengths), [
            ["b", 2],
            ["a", 1],
        ]);
    });
});
