import assert from "node:assert/strict";
import { planProblems } from "../../../../agents/serving-approver/read-plan";

describe("the plan of serving-approver", () => {
    it("is taken as the stack writes it", () => {
        assert.deepEqual(planProblems({ apiServer: "https://127.0.0.1:6443", machines: "/etc/machines.json" }), []);
    });

    it("is refused with all that is wrong with it", () => {
        assert.deepEqual(planProblems({ apiServer: "x", machines: "machines.json" }), [
            'apiServer must be an https:// URL without a path, got "x"',
            'machines must be an absolute path, got "machines.json"',
        ]);
    });
});
