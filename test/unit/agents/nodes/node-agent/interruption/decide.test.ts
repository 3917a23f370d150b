import assert from "node:assert/strict";
import { decideInterruption } from "../../../../../../agents/nodes/node-agent/interruption/decide";

const interruption = { action: "terminate", time: "2030-01-01T00:02:00Z" };
const pods = ["default/web is to go"];

describe("a node whose machine is taken away", () => {
    const table: [string, boolean, readonly string[], boolean, readonly string[]][] = [
        ["is cordoned, and its pods are evicted", false, pods, true, ["cordon", "evict"]],
        ["is cordoned once", true, pods, true, ["evict"]],
        ["has nothing more to do without pods", true, [], true, []],
        ["keeps its pods while nobody else could take them", false, pods, false, ["cordon"]],
    ];
    for (const [title, isCordoned, left, hasOtherNodes, expected] of table) {
        it(title, () => {
            assert.deepEqual(decideInterruption(interruption, { isCordoned }, left, hasOtherNodes).actions, expected);
        });
    }

    it("says when it goes, and which pods stay why", () => {
        const { notice, standing } = decideInterruption(interruption, { isCordoned: true }, ["n/web stays: 429"], true);
        assert.equal(notice.reason, "SpotInterruption");
        assert.match(notice.message, /takes this machine away \(terminate\) at 2030-01-01T00:02:00Z/);
        assert.equal(standing, "the machine is taken away at 2030-01-01T00:02:00Z; pods are to go: n/web stays: 429");
    });

    describe("by its Auto Scaling group, which waits", () => {
        const ended = { action: "terminate" };
        const of = (isCordoned: boolean, left: readonly string[], hasOtherNodes = true) =>
            decideInterruption(ended, { isCordoned }, left, hasOtherNodes);
        const table: [string, readonly string[], readonly string[]][] = [
            ["is cordoned before that may end it, since another pod may come", of(false, []).actions, ["cordon"]],
            ["keeps it waiting while pods are to go", of(true, pods).actions, ["evict"]],
            ["lets it end the machine when none is left", of(true, []).actions, ["release"]],
            [
                "does not keep it waiting for pods that nobody else could take",
                of(true, pods, false).actions,
                ["release"],
            ],
        ];
        for (const [title, actions, expected] of table) it(title, () => assert.deepEqual(actions, expected));

        it("says so", () => {
            const { notice, standing } = of(true, ["n/web stays: 429"]);
            assert.equal(notice.reason, "InstanceTermination");
            assert.match(notice.message, /^Its Auto Scaling group takes this machine away when it is drained: /);
            assert.equal(standing, "the machine is taken away when it is drained; pods are to go: n/web stays: 429");
        });
    });
});
