import assert from "node:assert/strict";
import { readyEnough } from "../../../../../cluster/manifests/control-plane/haproxy-timing";

describe("an apiserver that is ready enough", () => {
    it("may lack what an apiserver makes in its first second, and nothing else", () => {
        const url = new URL(readyEnough, "https://127.0.0.1/");
        assert.equal(url.pathname, "/readyz");
        assert.deepEqual(url.searchParams.getAll("exclude"), [
            "poststarthook/rbac/bootstrap-roles",
            "poststarthook/scheduling/bootstrap-system-priority-classes",
        ]);
    });
});
