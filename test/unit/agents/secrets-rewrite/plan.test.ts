import assert from "node:assert/strict";
import { planProblems } from "../../../../agents/harness/plan";
import { planSchema } from "../../../../agents/secrets-rewrite/plan";

describe("the plan of secrets-rewrite", () => {
    it("is accepted as the stack writes it", () => {
        assert.deepEqual(planProblems({ apiServer: "https://127.0.0.1:6443" }, planSchema), []);
    });

    it("is rejected with all of its problems", () => {
        assert.deepEqual(planProblems({ apiServer: "x", pageSize: 0 }, planSchema), [
            'apiServer must be an https:// URL without a path (got "x")',
            "pageSize must be a positive integer (got 0)",
        ]);
    });
});
