import assert from "node:assert/strict";
import { isReady } from "../../../../clients/kubernetes/objects";

describe("a node", () => {
    it("is ready if its status says so, and not if unknown", () => {
        const told = (status: string) => isReady({ conditions: [{ type: "Ready", status }] });
        assert.deepEqual(["True", "False", "Unknown"].map(told), [true, false, false]);
        assert.equal(isReady({ conditions: [{ type: "MemoryPressure", status: "True" }] }), false);
        assert.equal(isReady(undefined), false);
    });
});
