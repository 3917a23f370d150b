import assert from "node:assert/strict";
import { planSchema } from "../../../../../agents/etcd/update/plan";
import { planProblems } from "../../../../../agents/harness/plan";

const plan = {
    id: "etcd-update-c-controller-1-x",
    name: "c-controller-1",
    clientUrl: "https://10.0.0.12:2379",
    healthUrl: "http://127.0.0.1:2381",
    endpoints: ["https://10.0.0.11:2379"],
    version: "3.6.8",
    program: "/etcd",
    directories: { pki: "/pki", staticPods: "/manifests", data: "/data", podLogs: "/logs", state: "/state" },
    staticPod: { metadata: {}, spec: { containers: [{ image: "etcd", command: ["etcd"] }] } },
};

describe("the plan of an etcd update", () => {
    it("is accepted if it is complete", () => assert.deepEqual(planProblems(plan, planSchema), []));

    const cases: [object, string][] = [
        [{ id: "" }, 'id must be a non-empty string (got "")'],
        [{ name: 1 }, "name must be a name (got 1)"],
        [{ clientUrl: "https://x/y" }, 'clientUrl must be an https:// URL without a path (got "https://x/y")'],
        [{ healthUrl: 1 }, "healthUrl must be an http:// URL without a path (got 1)"],
        [{ endpoints: [] }, "endpoints must be a list of at least one https:// URL (got [])"],
        [{ version: "v3.6" }, 'version must be <major>.<minor>.<patch> (got "v3.6")'],
        [{ program: "etcd" }, 'program must be an absolute path (got "etcd")'],
        [
            { directories: { ...plan.directories, state: "state" } },
            'directories.state must be an absolute path (got "state")',
        ],
        [{ staticPod: { metadata: {} } }, 'staticPod must be a pod with etcd\'s command (got {"metadata":{}})'],
    ];
    for (const [change, problem] of cases) {
        it(`is rejected: ${problem}`, () =>
            assert.deepEqual(planProblems({ ...plan, ...change } as never, planSchema), [problem]));
    }
});
