import assert from "node:assert/strict";
import type { CheckpointerPlan } from "../../../../agents/checkpointer/plan";
import { planProblems } from "../../../../agents/checkpointer/read-plan";
import { checkpointerPlan } from "../../../../components/control-plane/checkpointer";
import { fixedCluster } from "../../components/fixture";

const plan = checkpointerPlan(fixedCluster());

describe("the checkpointer's plan", () => {
    it("as the cluster gives it is legal", () => assert.deepEqual(planProblems(plan), []));

    const cases: [object, RegExp][] = [
        [{ apiServers: [] }, /^apiServers must be a list of at least one https:\/\/ URL without a path, got \[\]$/],
        [{ apiServers: ["http://x"] }, /^apiServers must be/],
        [{ self: "checkpointer" }, /^self must be <namespace>\/<name>, got "checkpointer"$/],
        [{ expects: ["a/b", 1] }, /^expects must be a list of <namespace>\/<name>/],
        [{ runtimeSocket: "sock" }, /^runtimeSocket must be an absolute path, got "sock"$/],
        [{ credentials: { ca: "/ca" } }, /^credentials.client must be an absolute path, got undefined$/],
        [{ directories: undefined }, /^directories.checkpoints must be an absolute path/],
        [{ healthPort: 0 }, /^healthPort must be a port, got 0$/],
        [{ timings: { absent: -1 } }, /^timings.absent must be a number of seconds/],
        [{ timings: { abcent: 1 } }, /^timings.abcent must be .* by one of the names absent, /],
    ];
    for (const [change, problem] of cases) {
        it(`is refused with ${JSON.stringify(change)}`, () => {
            assert.match(planProblems({ ...plan, ...change } as CheckpointerPlan)[0] ?? "none", problem);
        });
    }
});
