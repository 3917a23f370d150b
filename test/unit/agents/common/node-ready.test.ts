import assert from "node:assert/strict";
import { isNodeReady } from "../../../../agents/common/node-ready";

describe("a node", () => {
    it("is Ready if it says so, and not when nobody knows", () => {
        const told = (status: string) => isNodeReady({ conditions: [{ type: "Ready", status }] });
        assert.deepEqual(["True", "False", "Unknown"].map(told), [true, false, false]);
        assert.equal(isNodeReady({ conditions: [{ type: "MemoryPressure", status: "True" }] }), false);
        assert.equal(isNodeReady(undefined), false);
    });
});
