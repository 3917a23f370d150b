import assert from "node:assert/strict";
import { type BootstrapPlan, planSchema } from "../../../../../agents/boot/bootstrap/plan";
import { planProblems } from "../../../../../agents/harness/plan";
import { examplePlan } from "./assets";

describe("a bootstrap plan", () => {
    let plan: BootstrapPlan;

    before(async () => {
        plan = await examplePlan("/");
    });

    it("is accepted when it is complete", () => {
        assert.deepEqual(planProblems(plan, planSchema), []);
    });

    const bad: [what: string, change: (plan: BootstrapPlan) => object, problem: string][] = [
        [
            "a key outside the assets",
            ({ credentials }) => ({ credentials: { ...credentials, key: "../key" } }),
            'credentials.key must be a path below the assets (got "../key")',
        ],
        [
            "a generation on the shared address",
            ({ selfHosted }) => ({ selfHosted: [{ ...selfHosted[0], address: "127.0.0.1" }] }),
            'selfHosted[0].address must be a loopback address other than 127.0.0.1 (got "127.0.0.1")',
        ],
        [
            "a Deployment",
            ({ selfHosted }) => ({ selfHosted: [{ ...selfHosted[0], kind: "Deployment" }] }),
            'selfHosted[0].kind must be "DaemonSet" (got "Deployment")',
        ],
        [
            "a listener without a path",
            ({ selfHosted }) => ({ selfHosted: [{ ...selfHosted[0], listener: { port: 6445 } }] }),
            "selfHosted[0].listener.path must be a path that begins with / (got undefined)",
        ],
        ["no kube-apiserver", () => ({ selfHosted: [] }), "selfHosted must be a list with one kube-apiserver (got [])"],
    ];
    for (const [what, change, problem] of bad) {
        it(`is rejected with ${what}`, () => {
            assert.deepEqual(planProblems({ ...plan, ...change(plan) }, planSchema), [problem]);
        });
    }

    it("is rejected with a timeout of an unknown step, and lists the known ones", () => {
        assert.match(
            planProblems({ ...plan, timeouts: { dance: 1 } }, planSchema).join(),
            /^a key of timeouts must be one of verify-assets, .* \(got "dance"\)$/,
        );
    });

    it("reports all problems at once", () => {
        assert.ok(planProblems(null, planSchema).length > 10);
        assert.ok(planProblems({ temporary: [null], selfHosted: "x" }, planSchema).length > 10);
    });
});
