import assert from "node:assert/strict";
import { type CheckpointerPlan, planSchema } from "../../../../agents/checkpointer/plan";
import { planProblems } from "../../../../agents/harness/plan";
import { checkpointerPlan } from "../../../../cluster/manifests/control-plane/checkpointer";
import { fixedCluster } from "../../components/in-cluster/fixture";

const plan = checkpointerPlan(fixedCluster());

describe("the checkpointer's plan", () => {
    it("is accepted as the cluster writes it", () => assert.deepEqual(planProblems(plan, planSchema), []));

    const cases: [object, RegExp][] = [
        [{ apiServers: [] }, /^apiServers must be a list of at least one https:\/\/ URL without a path \(got \[\]\)$/],
        [{ apiServers: ["http://x"] }, /^apiServers must be/],
        [{ self: "checkpointer" }, /^self must be one of parents \(got "checkpointer"\)$/],
        [{ parents: [plan.self, "prod/web"] }, /^parents must be a list of kube-system\/<name> \(got .*prod\/web/],
        [{ parents: [plan.self, "kube-system/../web"], expects: [] }, /^parents must be a list of kube-system\/<name>/],
        [{ expects: ["kube-system/b"] }, /^expects must be a list of some of parents/],
        [{ controllerLabel: "" }, /^controllerLabel must be a label/],
        [{ runtimeSocket: "sock" }, /^runtimeSocket must be an absolute path \(got "sock"\)$/],
        [{ credentials: { ca: "/ca" } }, /^credentials.client must be an absolute path \(got undefined\)$/],
        [{ directories: undefined }, /^directories.checkpoints must be an absolute path/],
        [{ healthPort: 0 }, /^healthPort must be a port \(got 0\)$/],
        [{ timings: { absent: -1 } }, /^timings.absent must be a number of seconds/],
        [{ timings: { abcent: 1 } }, /^a key of timings must be one of absent, .* \(got "abcent"\)$/],
    ];
    for (const [change, problem] of cases) {
        it(`is rejected with ${JSON.stringify(change)}`, () => {
            assert.match(planProblems({ ...plan, ...change } as CheckpointerPlan, planSchema)[0] ?? "none", problem);
        });
    }
});
