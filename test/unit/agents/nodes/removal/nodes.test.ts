import assert from "node:assert/strict";
import { isController, leavingNodes } from "../../../../../agents/nodes/removal/nodes";
import type { Node } from "../../../../../clients/kubernetes/objects";

const groups = { namePattern: "^i-[0-9a-f]+$", desired: ["cloudy"] };
const plan = { cluster: "c", desired: ["c-controller-0", "c-blue-green-0"], poolLabel: "pool", groups };
const node = (name: string, pool?: string, ready?: string): Node => ({
    metadata: { name, ...(pool && { labels: { pool } }) },
    status: { conditions: ready ? [{ type: "Ready", status: ready }] : [] },
});

describe("nodes to be removed", () => {
    const cases: [string, Node, boolean][] = [
        ["are those of a pool that are no longer desired", node("c-blue-green-1", "blue-green"), true],
        ["are those of a removed pool", node("c-old-0", "old"), true],
        ["include controllers", node("c-controller-2", "controller"), true],
        ["include those named by a cloud in a removed pool", node("i-0123", "gone"), true],
        ["exclude those named by a cloud in a remaining pool", node("i-0123", "cloudy"), false],
        ["exclude desired ones", node("c-blue-green-0", "blue-green"), false],
        ["exclude those without a pool", node("c-old-0"), false],
        ["exclude those that a user named", node("c-old-gpu", "old"), false],
        ["exclude those of another cluster", node("d-old-0", "old"), false],
        ["exclude those whose pool and name differ", node("c-old-0", "new"), false],
    ];
    for (const [title, each, leaves] of cases) {
        it(title, () => assert.deepEqual(leavingNodes(plan, [each]), leaves ? [each] : []));
    }
});

describe("a node", () => {
    it("is a controller if it is in their pool", () => {
        assert.equal(isController(plan, node("x", "controller")), true);
        assert.equal(isController(plan, node("x", "blue")), false);
    });
});
