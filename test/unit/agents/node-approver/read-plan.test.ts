import assert from "node:assert/strict";
import { planProblems } from "../../../../agents/node-approver/read-plan";

const pool = { pool: "a", namePattern: "^i-.*$", max: 2 };
const plan = { apiServer: "https://127.0.0.1:6443", poolLabel: "pool", pools: { g: pool } };

describe("the plan of node-approver", () => {
    it("is taken as the stack writes it", () => {
        assert.deepEqual(planProblems(plan), []);
    });

    it("is refused with all that is wrong with it", () => {
        assert.deepEqual(planProblems({ apiServer: "x", poolLabel: "", pools: {} }), [
            'apiServer must be an https:// URL without a path, got "x"',
            'poolLabel must be a label, got ""',
            "pools must be an object of one pool or more, got {}",
        ]);
    });

    for (const namePattern of ["i-.*", "^i-.*", "^($"]) {
        it(`is refused with the pattern ${namePattern}, which is none of whole names`, () => {
            const [problem] = planProblems({ ...plan, pools: { g: { ...pool, namePattern } } });
            assert.match(problem!, /^pools\.g\.namePattern must be a regular expression of whole names/);
        });
    }
});
