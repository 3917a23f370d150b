import assert from "node:assert/strict";
import { isController, isReachable, leavingNodes, type Node } from "../../../../../agents/nodes/removal/nodes";

const groups = { namePattern: "^i-[0-9a-f]+$", wanted: ["cloudy"] };
const plan = { cluster: "c", wanted: ["c-controller-0", "c-blue-green-0"], poolLabel: "pool", groups };
const node = (name: string, pool?: string, ready?: string): Node => ({
    metadata: { name, ...(pool && { labels: { pool } }) },
    status: { conditions: ready ? [{ type: "Ready", status: ready }] : [] },
});

describe("the nodes that leave", () => {
    const cases: [string, Node, boolean][] = [
        ["are those of a pool that are not wanted", node("c-blue-green-1", "blue-green"), true],
        ["are those of a pool that is gone", node("c-old-0", "old"), true],
        ["are controllers too", node("c-controller-2", "controller"), true],
        ["are those that a cloud named, of a pool that is gone", node("i-0123", "gone"), true],
        ["are none that a cloud named, of a pool that stays", node("i-0123", "cloudy"), false],
        ["are none that is wanted", node("c-blue-green-0", "blue-green"), false],
        ["are none without a pool", node("c-old-0"), false],
        ["are none that somebody named", node("c-old-gpu", "old"), false],
        ["are none of another cluster's", node("d-old-0", "old"), false],
        ["are none whose pool and name differ", node("c-old-0", "new"), false],
    ];
    for (const [title, each, leaves] of cases) {
        it(title, () => assert.deepEqual(leavingNodes(plan, [each]), leaves ? [each] : []));
    }
});

describe("a node", () => {
    it("is a controller by its pool", () => {
        assert.equal(isController(plan, node("x", "controller")), true);
        assert.equal(isController(plan, node("x", "blue")), false);
    });

    it("is lost when its kubelet is not heard of, and there when it is or never was", () => {
        assert.deepEqual(
            ["Unknown", "False", "True", undefined].map((ready) => isReachable(node("x", "blue", ready))),
            [false, true, true, true],
        );
    });
});
