import assert from "node:assert/strict";
import { nodesToLabel } from "../../../../../agents/nodes/approver/restore-pools";
import { poolLabel } from "../../../../../cluster/labels";

const pools = {
    pools: { controller: { nodes: ["c-controller-0"] }, a: { nodes: ["c-a-0", "c-a-1"] }, g: { group: "c-g" } },
};
const labelled = (name: string, labels?: Record<string, string>) =>
    nodesToLabel([{ metadata: { name, resourceVersion: "1", labels } }], pools, poolLabel).map(([, pool]) => pool);

describe("the pool label of a node", () => {
    it("is restored where it is missing or another pool's", () => {
        assert.deepEqual(labelled("c-a-1"), ["a"]);
        assert.deepEqual(labelled("c-a-1", { [poolLabel]: "controller" }), ["a"]);
        assert.deepEqual(labelled("c-controller-0", { [poolLabel]: "a" }), ["controller"]);
    });

    it("stays where it is right, and where the stack does not name the node", () => {
        assert.deepEqual(labelled("c-a-0", { [poolLabel]: "a" }), []);
        assert.deepEqual(labelled("i-0123"), []);
        assert.deepEqual(labelled("c-a-7"), []);
    });
});
