import assert from "node:assert/strict";
import { decideInterruption } from "../../../../../../agents/nodes/node-agent/interruption/decide";

const interruption = { action: "terminate", time: "2030-01-01T00:02:00Z" };
const pods = ["default/web to be evicted"];

describe("a node whose machine is taken away", () => {
    const table: [string, boolean, readonly string[], boolean, readonly string[]][] = [
        ["is cordoned, and its pods are evicted", false, pods, true, ["cordon", "evict"]],
        ["is cordoned once", true, pods, true, ["evict"]],
        ["has nothing more to do without pods", true, [], true, []],
        ["keeps its pods if no other node could take them", false, pods, false, ["cordon"]],
    ];
    for (const [title, isCordoned, left, hasOtherNodes, expected] of table) {
        it(title, () => {
            assert.deepEqual(decideInterruption(interruption, { isCordoned }, left, hasOtherNodes).actions, expected);
        });
    }

    it("reports when it is taken away, and why pods stay", () => {
        const { notice, summary: progress } = decideInterruption(
            interruption,
            { isCordoned: true },
            ["n/web stays: 429"],
            true,
        );
        assert.equal(notice.reason, "SpotInterruption");
        assert.match(notice.message, /about to reclaim this machine \(terminate\) at 2030-01-01T00:02:00Z/);
        assert.equal(
            progress,
            "the machine will be taken away at 2030-01-01T00:02:00Z; pods to evict: n/web stays: 429",
        );
    });

    describe("by its Auto Scaling group, which waits", () => {
        const ended = { action: "terminate" };
        const of = (isCordoned: boolean, left: readonly string[], hasOtherNodes = true) =>
            decideInterruption(ended, { isCordoned }, left, hasOtherNodes);
        const table: [string, readonly string[], readonly string[]][] = [
            [
                "is cordoned before it is released, since another pod may be scheduled",
                of(false, []).actions,
                ["cordon"],
            ],
            ["keeps the group waiting while there are pods to evict", of(true, pods).actions, ["evict"]],
            ["releases the group once no pod is left", of(true, []).actions, ["release"]],
            [
                "does not keep the group waiting for pods that no other node could take",
                of(true, pods, false).actions,
                ["release"],
            ],
        ];
        for (const [title, actions, expected] of table) it(title, () => assert.deepEqual(actions, expected));

        it("reports that", () => {
            const { notice, summary: progress } = of(true, ["n/web stays: 429"]);
            assert.equal(notice.reason, "InstanceTermination");
            assert.match(
                notice.message,
                /^The Auto Scaling group is about to terminate this machine once it is drained: /,
            );
            assert.equal(
                progress,
                "the machine will be taken away once it is drained; pods to evict: n/web stays: 429",
            );
        });
    });
});
