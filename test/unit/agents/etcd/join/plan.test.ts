import assert from "node:assert/strict";
import { initialClusterPlaceholder, planSchema } from "../../../../../agents/etcd/join/plan";
import { planProblems } from "../../../../../agents/harness/plan";

const plan = {
    name: "c-controller-1",
    peerUrl: "https://10.0.0.12:2380",
    clientUrl: "https://10.0.0.12:2379",
    healthUrl: "http://127.0.0.1:2381",
    endpoints: ["https://10.0.0.11:2379"],
    directories: { pki: "/pki", staticPods: "/manifests", data: "/data" },
    staticPod: { command: [`--initial-cluster=${initialClusterPlaceholder}`] },
};

describe("the plan of a join", () => {
    it("is accepted if it is complete", () => assert.deepEqual(planProblems(plan, planSchema), []));

    const cases: [object, string][] = [
        [{ name: "" }, 'name must be a name (got "")'],
        [{ peerUrl: "http://x" }, 'peerUrl must be an https:// URL without a path (got "http://x")'],
        [{ clientUrl: "https://x/y" }, 'clientUrl must be an https:// URL without a path (got "https://x/y")'],
        [{ healthUrl: 1 }, "healthUrl must be an http:// URL without a path (got 1)"],
        [{ endpoints: [] }, "endpoints must be a list of at least one https:// URL (got [])"],
        [
            { directories: { ...plan.directories, data: "data" } },
            'directories.data must be an absolute path (got "data")',
        ],
        [{ staticPod: { command: [] } }, 'staticPod must be a pod with <initial-cluster> (got {"command":[]})'],
    ];
    for (const [change, problem] of cases) {
        it(`is rejected: ${problem}`, () =>
            assert.deepEqual(planProblems({ ...plan, ...change } as never, planSchema), [problem]));
    }
});
