import assert from "node:assert/strict";
import { planProblems } from "../../../../../agents/harness/plan";
import { planSchema } from "../../../../../agents/nodes/serving-approver/plan";

describe("the plan of serving-approver", () => {
    it("is accepted as the stack writes it", () => {
        const plan = { apiServer: "https://127.0.0.1:6443", machines: "/etc/machines.json" };
        assert.deepEqual(planProblems(plan, planSchema), []);
        const place = { ec2: "https://ec2.eu-central-1.amazonaws.com", region: "eu-central-1" };
        const instances = { ...place, namePattern: "^i-.*$", groups: ["c-a"] };
        assert.deepEqual(planProblems({ ...plan, instances }, planSchema), []);
    });

    it("is rejected with all of its problems", () => {
        assert.deepEqual(planProblems({ apiServer: "x", machines: "machines.json" }, planSchema), [
            'apiServer must be an https:// URL without a path (got "x")',
            'machines must be an absolute path (got "machines.json")',
        ]);
        const instances = { ec2: "http://ec2", region: "", namePattern: "i-.*", groups: ["c-a", ""] };
        const plan = { apiServer: "https://127.0.0.1:6443", machines: "/etc/machines.json", instances };
        assert.deepEqual(planProblems(plan, planSchema), [
            'instances.ec2 must be an https:// URL without a path (got "http://ec2")',
            'instances.region must be a name (got "")',
            'instances.namePattern must be a regular expression from ^ to $ (got "i-.*")',
            'instances.groups must be names (got ["c-a",""])',
        ]);
    });
});
