import assert from "node:assert/strict";
import { planProblems } from "../../../../../agents/harness/plan";
import { planSchema, type RebootApproverPlan } from "../../../../../agents/nodes/reboot-approver/plan";
import { rebootApproverPlan } from "../../../../../cluster/manifests/nodes/reboot-approver";

const window = { days: [0], start: 120, minutes: 180 };
const plan = rebootApproverPlan({ windows: [window] });

describe("the plan of a reboot-approver", () => {
    it("matches what the components write", () => assert.deepEqual(planProblems(plan, planSchema), []));

    const table: [string, Partial<RebootApproverPlan>, RegExp][] = [
        ["an API without TLS", { apiServer: "http://a" }, /^apiServer must be/],
        ["no window", { windows: [] }, /^windows must be a list of at least one/],
        ["a window on no day", { windows: [{ ...window, days: [7] }] }, /^windows must be/],
        ["a window of no time", { windows: [{ ...window, minutes: 0 }] }, /^windows must be/],
        ["an invalid name", { daemonSets: [""] }, /^daemonSets must be a list of names/],
        ["no label", { controllerLabel: "" }, /^controllerLabel must be a label/],
    ];
    for (const [title, wrong, problem] of table) {
        it(`is rejected with ${title}`, () => {
            const problems = planProblems({ ...plan, ...wrong }, planSchema);
            assert.equal(problems.length, 1, problems.join("; "));
            assert.match(problems[0]!, problem);
        });
    }
});
