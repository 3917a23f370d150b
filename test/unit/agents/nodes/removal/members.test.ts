import assert from "node:assert/strict";
import fc from "fast-check";
import {
    departureProblem,
    departuresProblem,
    leavingMembers,
    nextToGo,
} from "../../../../../agents/nodes/removal/members";
import type { Member } from "../../../../../clients/etcd/client";

const member = (index: number): Member => ({
    ID: String(index),
    name: `c-controller-${index}`,
    peerURLs: [`https://10.0.0.1${index}:2380`],
});
const members = (count: number) => Array.from({ length: count }, (_, index) => member(index));
const health = (...ids: number[]) => ({ healthy: new Set(ids.map(String)), problems: ["one does not answer"] });
const plan = {
    cluster: "c",
    desired: ["c-controller-0", "c-worker-0"],
    etcd: { endpoints: [], peerUrls: ["https://10.0.0.10:2380"], pki: "/pki" },
};

describe("members to be removed", () => {
    const cases: [string, Member, boolean][] = [
        ["are those of controllers that are no longer desired", member(1), true],
        ["include the arbiter's, if it is no longer desired", { ...member(1), name: "c-arbiter-0" }, true],
        ["exclude those of desired controllers", member(0), false],
        ["exclude those that the stack did not name", { ...member(1), name: "by-hand" }, false],
        ["include those that never started and are not desired", { ...member(1), name: "" }, true],
        ["exclude one that is about to start", { ...member(0), name: undefined }, false],
    ];
    for (const [title, each, leaves] of cases) {
        it(title, () => assert.deepEqual(leavingMembers(plan, [each]), leaves ? [each] : []));
    }
});

describe("the next member to remove", () => {
    const learner = { ...member(1), isLearner: true };

    it("is a learner, then a lost one, then the last by name", () => {
        assert.equal(nextToGo([member(3), learner, member(2)], health(3))?.ID, "1");
        assert.equal(nextToGo([member(3), member(2)], health(3))?.ID, "2");
        assert.equal(nextToGo([member(2), member(3)], health(2, 3))?.ID, "3");
    });

    it("is none once all are removed", () => assert.equal(nextToGo([], health()), undefined));
});

describe("the removal of a member", () => {
    const cases: [string, number, number[], boolean][] = [
        ["is allowed for one of two living ones", 2, [0, 1], true],
        ["is refused for the last one", 1, [0], false],
        ["is refused for a dead one of two: the other is no majority", 2, [0], false],
        ["is refused for a living one of two whose other is dead", 2, [1], false],
        ["is allowed for a living one of three", 3, [0, 1, 2], true],
        ["is allowed for a dead one of three", 3, [0, 1], true],
        ["is refused for a living one of three if another one is dead", 3, [0, 2], false],
        ["is allowed for a living one of five if another one is dead", 5, [0, 1, 2, 4], true],
        ["is refused for a living one of five if two others are dead", 5, [0, 1, 4], false],
    ];
    for (const [title, count, healthy, isAllowed] of cases) {
        it(title, () => {
            const all = members(count);
            assert.equal(departureProblem(all, all.at(-1)!, health(...healthy)) === undefined, isAllowed);
        });
    }

    it("is always allowed for a learner", () => {
        const learner = { ...member(1), isLearner: true };
        assert.equal(departureProblem([member(0), learner], learner, health()), undefined);
    });

    it("reports what would be left", () => {
        assert.equal(
            departureProblem(members(3), member(2), health(0, 2)),
            "removing c-controller-2 (https://10.0.0.12:2380) would leave 1 of 2 voters healthy, but 2 are needed: " +
                "one does not answer",
        );
    });

    it("is checked for several as a whole, and never leaves healthy voters without a majority", () => {
        fc.assert(
            fc.property(fc.integer({ min: 1, max: 7 }), fc.nat(7), fc.array(fc.nat(6)), (count, stay, healthy) => {
                const all = members(count);
                const [left, leaving] = [all.slice(0, stay), all.slice(stay)];
                const problem = departuresProblem(all, leaving, health(...healthy));
                if (problem === undefined && leaving.length > 0) {
                    const alive = (some: Member[]) => some.filter(({ ID }) => healthy.includes(Number(ID))).length;
                    assert.ok(alive(all) > count / 2 && alive(left) > left.length / 2 && left.length > 0);
                }
            }),
        );
    });
});
