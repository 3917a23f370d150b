import assert from "node:assert/strict";
import { type NodeView, nodeChanges } from "../../../../local/change/follow";

const node = (name: string, change: Partial<NodeView> = {}): NodeView => ({
    name,
    kubelet: "1.35.4",
    isReady: true,
    isCordoned: false,
    ...change,
});

describe("changes of nodes while a cluster changes", () => {
    const cases: [string, NodeView[], NodeView[], string[]][] = [
        ["nothing", [node("a")], [node("a")], []],
        ["a drain", [node("a")], [node("a", { isCordoned: true })], ["a is cordoned and being drained"]],
        [
            "another kubelet, and how many have it",
            [node("a", { isCordoned: true }), node("b")],
            [node("a", { kubelet: "1.36.3" }), node("b")],
            ["a was upgraded from kubelet 1.35.4 to 1.36.3: 1 of 2 nodes", "a is schedulable again"],
        ],
        [
            "a node that is away, and back",
            [node("a"), node("b", { isReady: false })],
            [node("a", { isReady: false }), node("b")],
            ["a is not Ready", "b is Ready again"],
        ],
        ["one more, and one less", [node("a")], [node("b")], ["b joined", "a was removed"]],
    ];
    for (const [title, before, after, lines] of cases) {
        it(`are reported: ${title}`, () => assert.deepEqual(nodeChanges(before, after), lines));
    }
});
