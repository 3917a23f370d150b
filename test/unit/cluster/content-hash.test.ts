import assert from "node:assert/strict";
import { contentHash } from "../../../cluster/manifest";

describe("a content hash", () => {
    it("is short and changes only with the content", () => {
        assert.match(contentHash({ a: 1 }), /^[0-9a-f]{16}$/);
        assert.equal(contentHash({ a: 1 }), contentHash({ a: 1 }));
        assert.notEqual(contentHash({ a: 1 }), contentHash({ a: 2 }));
    });
});
