import assert from "node:assert/strict";
import { planProblems } from "../../../../../agents/harness/plan";
import { planSchema } from "../../../../../agents/nodes/cleaner/plan";

const plan = {
    apiServer: "https://127.0.0.1:6443",
    ec2: "https://ec2.eu-central-1.amazonaws.com",
    region: "eu-central-1",
    namePattern: "^i-.*$",
    controllerLabel: "controller",
};

describe("the plan of node-cleaner", () => {
    it("is accepted as the stack writes it", () => assert.deepEqual(planProblems(plan, planSchema), []));

    it("is rejected with all of its problems", () => {
        const wrong = { apiServer: "x", ec2: "http://ec2", region: "", namePattern: "i-.*", controllerLabel: "" };
        assert.deepEqual(planProblems(wrong, planSchema), [
            'apiServer must be an https:// URL without a path (got "x")',
            'ec2 must be an https:// URL without a path (got "http://ec2")',
            'region must be a name (got "")',
            'namePattern must be a regular expression from ^ to $ (got "i-.*")',
            'controllerLabel must be a label (got "")',
        ]);
    });
});
