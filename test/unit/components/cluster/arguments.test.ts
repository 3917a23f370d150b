import assert from "node:assert/strict";
import { commandLine } from "../../../../components/cluster/arguments";

describe("commandLine", () => {
    it("lets an extra argument win in place, and adds the others at the end", () => {
        assert.deepEqual(commandLine({ a: "1", b: "2" }, { c: "3", a: "9" }), ["--a=9", "--b=2", "--c=3"]);
    });
});
