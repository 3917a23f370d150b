import assert from "node:assert/strict";
import { requireKnownMachines } from "../../../cluster/recreate";
import { resolveCluster } from "../../../cluster/resolve";

const cluster = resolveCluster({ name: "c", controllers: { count: 3 }, workerPools: [{ name: "a", count: 2 }] });
const workers = ["c-a-0", "c-a-1"];
const unprivilegedId: string[] = [];

describe("machines to replace", () => {
    it("are none, or some of those that there are", () => {
        assert.deepEqual(requireKnownMachines(undefined, cluster, workers), unprivilegedId);
        const some = ["c-a-1", "c-controller-2", "c-a-0"];
        assert.deepEqual(requireKnownMachines(some, cluster, workers), some);
    });

    it("are known by their names, each once", () => {
        assert.throws(() => requireKnownMachines(["c-a-0"], cluster), {
            message: "recreate[0] must be one of c-controller-0, c-controller-1, c-controller-2 (got c-a-0)",
        });
        assert.throws(() => requireKnownMachines(["c-a-0", "c-a-0"], cluster, workers), {
            message: "recreate[1] must not be listed twice (got c-a-0)",
        });
    });

    it("are one controller at most: the others have etcd's majority meanwhile", () => {
        assert.throws(() => requireKnownMachines(["c-controller-0", "c-a-0", "c-controller-1"], cluster, workers), {
            message: 'recreate must be a list with at most one controller (got ["c-controller-0","c-controller-1"])',
        });
    });

    it("are one controller or candidate at most, because any of these may be a member", () => {
        const of = resolveCluster({
            name: "c",
            controllers: { candidates: ["a"] },
            workerPools: [{ name: "a", count: 2 }],
        });
        assert.throws(() => requireKnownMachines(workers, of, workers), {
            message: 'recreate must be a list with at most one controller or candidate (got ["c-a-0","c-a-1"])',
        });
    });
});
