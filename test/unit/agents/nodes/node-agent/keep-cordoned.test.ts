import assert from "node:assert/strict";
import { keepCordoned } from "../../../../../agents/nodes/node-agent/decision";

describe("a node on which something failed", () => {
    it("is cordoned again, unless it is being removed or its state is unknown", () => {
        assert.deepEqual(keepCordoned({ isCordoned: false, isLeaving: false }), ["cordon"]);
        assert.deepEqual(keepCordoned({ isCordoned: true, isLeaving: false }), []);
        assert.deepEqual(keepCordoned({ isCordoned: false, isLeaving: true }), []);
        assert.deepEqual(keepCordoned("unknown"), []);
    });
});
