import assert from "node:assert/strict";
import { planSchema } from "../../../../../agents/etcd/pod/plan";
import { planProblems } from "../../../../../agents/harness/plan";
import { etcdPodPlan } from "../../../../../cluster/manifests/etcd/etcd";
import { fixedCluster } from "../../../components/in-cluster/fixture";

const plan = etcdPodPlan(fixedCluster());

describe("the plan of a member's pod", () => {
    it("is accepted as the stack writes it", () => assert.deepEqual(planProblems(plan, planSchema), []));

    const cases: [object, string][] = [
        [{ images: "" }, 'images must be a non-empty string (got "")'],
        [{ staticPod: "etcd.json" }, 'staticPod must be an absolute path (got "etcd.json")'],
        [{ pki: 1 }, "pki must be an absolute path (got 1)"],
        [{ data: "" }, 'data must be an absolute path (got "")'],
        [{ stoppedSeconds: 0 }, "stoppedSeconds must be a positive number (got 0)"],
    ];
    for (const [change, problem] of cases) {
        it(`is rejected: ${problem}`, () =>
            assert.deepEqual(planProblems({ ...plan, ...change } as never, planSchema), [problem]));
    }
});
