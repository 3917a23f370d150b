import assert from "node:assert/strict";
import { lookUp } from "../../../../../simulator/clouds/shared/tree";

describe("data of a metadata service", () => {
    const tree = { "meta-data": { id: "i-1", placement: { region: "r" } }, "user-data": "x" };

    it("is a text, or the names in a folder", () => {
        assert.equal(lookUp(tree, ["meta-data", "id"]), "i-1");
        assert.equal(lookUp(tree, ["meta-data", ""]), "id\nplacement/");
        assert.equal(lookUp(tree, []), "meta-data/\nuser-data");
    });

    it("is nothing else", () => {
        for (const path of [["other"], ["user-data", "length"], ["constructor"]]) {
            assert.equal(lookUp(tree, path), undefined);
        }
    });
});
