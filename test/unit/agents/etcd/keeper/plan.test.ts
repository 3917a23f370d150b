import assert from "node:assert/strict";
import { type RestorePlan, restorePlanSchema } from "../../../../../agents/etcd/keeper/restore/plan";
import { planProblems } from "../../../../../agents/harness/plan";
import { etcdKeeperPlan } from "../../../../../cluster/manifests/etcd/etcd-keeper";
import { resolveCluster } from "../../../../../cluster/resolve";

const s3 = { endpoint: "https://s3.example.com", bucket: "backups", isEncrypted: true };
const plan = etcdKeeperPlan(resolveCluster({ name: "c", etcdSnapshots: { s3 } }));
const restore: RestorePlan = {
    id: "one",
    source: { file: "/snapshots/a.db" },
    member: { name: "a", peerUrl: "https://10.0.0.1:2380", healthUrl: "http://127.0.0.1:2381" },
    initialCluster: "a=https://10.0.0.1:2380",
    directories: { data: "/data", staticPods: "/pods", state: "/state" },
    etcdutl: "/etcdutl",
};

describe("the plan of a restore", () => {
    it("is accepted with a file and with a store", () => {
        assert.deepEqual(planProblems(restore, restorePlanSchema), []);
        const source = { s3: plan.snapshots.s3!, cluster: "c" };
        assert.deepEqual(planProblems({ ...restore, source }, restorePlanSchema), []);
    });

    const refused: [Partial<RestorePlan>, string][] = [
        [{ id: "../a" }, 'id must be a plain name (got "../a")'],
        [{ source: { file: "a.db" } }, 'source.file must be an absolute path (got "a.db")'],
        [
            { initialCluster: "b=https://10.0.0.2:2380" },
            "initialCluster must be a list with a=https://10.0.0.1:2380 (got",
        ],
        [{ bumpRevision: 0 }, "bumpRevision must be a positive integer (got 0)"],
    ];
    for (const [change, problem] of refused) {
        it(`is rejected with ${Object.keys(change)[0]} ${JSON.stringify(Object.values(change)[0])}`, () => {
            const [first, ...others] = planProblems({ ...restore, ...change }, restorePlanSchema);
            assert.ok(first!.startsWith(problem), first);
            assert.deepEqual(others, []);
        });
    }

    it("is rejected if it is empty", () => assert.ok(planProblems({} as never, restorePlanSchema).length > 5));
});
