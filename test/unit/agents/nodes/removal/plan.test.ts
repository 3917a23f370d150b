import assert from "node:assert/strict";
import { planProblems } from "../../../../../agents/harness/plan";
import { planSchema } from "../../../../../agents/nodes/removal/plan";
import { nodeRemovalPlan } from "../../../../../cluster/manifests/nodes/node-removal";
import { resolveCluster } from "../../../../../cluster/resolve";

const plan = nodeRemovalPlan(resolveCluster({ name: "c" }), [{ name: "c-controller-0", address: "10.0.0.11" }]);

describe("the plan of a node removal", () => {
    it("is accepted as the stack writes it", () => assert.deepEqual(planProblems(plan, planSchema), []));

    const cases: [object, string][] = [
        [{ cluster: "" }, 'cluster must be a name (got "")'],
        [{ desired: [] }, "desired must be a list of at least one name (got [])"],
        [{ groups: { namePattern: "", desired: [] } }, 'groups.namePattern must be a pattern (got "")'],
        [{ groups: { namePattern: "x", desired: [1] } }, "groups.desired must be a list of names (got [1])"],
        [{ apiServer: "http://x" }, 'apiServer must be an https:// URL without a path (got "http://x")'],
        [{ poolLabel: 1 }, "poolLabel must be a label (got 1)"],
        [{ controllerLabel: "" }, 'controllerLabel must be a label (got "")'],
        [
            { etcd: { ...plan.etcd, endpoints: [] } },
            "etcd.endpoints must be a list of at least one https:// URL (got [])",
        ],
        [
            { etcd: { ...plan.etcd, peerUrls: ["x"] } },
            'etcd.peerUrls must be a list of at least one https:// URL (got ["x"])',
        ],
        [{ etcd: { ...plan.etcd, pki: "pki" } }, 'etcd.pki must be an absolute path (got "pki")'],
        [{ serviceAccount: "" }, 'serviceAccount must be an absolute path (got "")'],
    ];
    for (const [change, problem] of cases) {
        it(`is rejected: ${problem}`, () =>
            assert.deepEqual(planProblems({ ...plan, ...change } as never, planSchema), [problem]));
    }
});
