import assert from "node:assert/strict";
import { planProblems } from "../../../../agents/secrets-rewrite/plan";

describe("the plan of secrets-rewrite", () => {
    it("is taken as the stack writes it", () => {
        assert.deepEqual(planProblems({ apiServer: "https://127.0.0.1:6443" }), []);
    });

    it("is refused with all that is wrong with it", () => {
        assert.deepEqual(planProblems({ apiServer: "x", pageSize: 0 }), [
            'apiServer must be an https:// URL without a path, got "x"',
            "pageSize must be a positive whole number, got 0",
        ]);
    });
});
