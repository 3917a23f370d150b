import assert from "node:assert/strict";
import { shortPools } from "../../../../../cli/status/collect/short-pools";
import { known, unknown } from "../../../../../cli/status/facts";
import { node } from "../sample";

describe("pools that lack nodes", () => {
    const nodes = known([node("c-0", { pool: "controller" }), node("w-0", { pool: "a" }), node("w-1", { pool: "b" })]);
    const poolSizes = { a: 1, b: 2, c: 1 };
    const workloads = known([]);

    it("are those of the stack's record with fewer nodes than it desires", () => {
        assert.deepEqual(shortPools({ nodes, workloads, poolSizes }), [
            { name: "b", size: 2, present: 1 },
            { name: "c", size: 1, present: 0 },
        ]);
    });

    it("are none if nodes are unknown, there is no record, or an autoscaler sets the sizes", () => {
        const autoscaler = { kind: "Deployment", name: "cluster-autoscaler", desired: 1, present: 1 } as const;
        assert.deepEqual(shortPools({ nodes: unknown("down"), workloads, poolSizes }), []);
        assert.deepEqual(shortPools({ nodes, workloads }), []);
        assert.deepEqual(shortPools({ nodes, workloads: known([autoscaler]), poolSizes }), []);
    });
});
