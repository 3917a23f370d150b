import assert from "node:assert/strict";
import fc from "fast-check";
import { removalProblem } from "../../../../../agents/etcd/join/member-state";
import type { Member } from "../../../../../clients/etcd/client";

const members = (count: number): Member[] =>
    Array.from({ length: count }, (_, index) => ({
        ID: String(index),
        name: `m${index}`,
        peerURLs: [`https://m${index}`],
    }));
const health = (...ids: number[]) => ({ healthy: new Set(ids.map(String)), problems: ["m9 does not answer"] });

describe("removal of a member", () => {
    const cases: [string, number, number[], boolean][] = [
        ["is refused for one of two: the other is no majority", 2, [0], false],
        ["is refused for one of two even if it is alive", 2, [0, 1], false],
        ["is allowed for a dead one of three", 3, [0, 1], true],
        ["is refused for a dead one of three if another one is dead", 3, [0], false],
        ["is refused for a living one of three if another one is dead", 3, [0, 2], false],
        ["is allowed for a dead one of five if another one is dead", 5, [0, 1, 2], true],
        ["is refused for a dead one of five if two others are dead", 5, [0, 1], false],
    ];
    for (const [title, count, healthy, isAllowed] of cases) {
        it(title, () => {
            const all = members(count);
            assert.equal(removalProblem(all, all.at(-1)!, health(...healthy)) === undefined, isAllowed);
        });
    }

    it("is always allowed for a learner", () => {
        const learner = { ...members(1)[0]!, isLearner: true };
        assert.equal(removalProblem([learner], learner, health()), undefined);
    });

    it("says how many are missing, and which", () => {
        const all = members(3);
        assert.equal(
            removalProblem(all, all[2]!, health(0)),
            "removing m2 (https://m2) needs 2 healthy voters among the other 2, found 1: m9 does not answer",
        );
    });

    it("never leaves healthy voters without a majority", () => {
        fc.assert(
            fc.property(fc.integer({ min: 1, max: 7 }), fc.array(fc.nat(6)), (count, healthy) => {
                const all = members(count);
                const gone = all[0]!;
                if (removalProblem(all, gone, health(...healthy)) === undefined) {
                    const left = all.slice(1).filter(({ ID }) => healthy.includes(Number(ID))).length;
                    assert.ok(left > count / 2 && left > (count - 1) / 2);
                }
            }),
        );
    });
});
