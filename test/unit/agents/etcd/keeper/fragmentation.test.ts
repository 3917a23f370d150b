import assert from "node:assert/strict";
import type { MemberState } from "../../../../../agents/etcd/keeper/observe";
import { defragmentationProblem, leaderLast, mostFragmented } from "../../../../../agents/etcd/keeper/space";

const mebibyte = 2 ** 20;

function member(name: string, dbSize: number, dbSizeInUse: number, change: Partial<MemberState> = {}): MemberState {
    const sizes = { dbSize: dbSize * mebibyte, dbSizeInUse: dbSizeInUse * mebibyte, quota: 4096 * mebibyte };
    return { id: name, name, isLearner: false, isLeader: false, ...sizes, ...change };
}

describe("Defragmentation", () => {
    const leader = { isLeader: true };
    const cases: [string, MemberState[], string | undefined][] = [
        ["none of small stores", [member("a", 90, 1)], undefined],
        ["none of full ones", [member("a", 1000, 600)], undefined],
        ["a store with much to gain", [member("a", 1000, 500)], "a"],
        ["a store of just that size and share", [member("a", 100, 55)], "a"],
        ["a follower before the leader", [member("a", 1000, 100, leader), member("b", 200, 100)], "b"],
        ["the leader if no follower needs it", [member("a", 1000, 100, leader), member("b", 200, 190)], "a"],
        ["one after another, by name", [member("b", 200, 10), member("a", 200, 100)], "a"],
    ];
    for (const [what, members, chosen] of cases) {
        it(`takes ${what}`, () => assert.equal(mostFragmented(members)?.name, chosen));
    }

    it("goes through all members with the leader last", () => {
        const members = [member("a", 1, 1, leader), member("c", 1, 1), member("b", 1, 1)];
        assert.deepEqual(
            leaderLast(members).map(({ name }) => name),
            ["b", "c", "a"],
        );
    });

    it("waits while any member is unhealthy, including learners", () => {
        const members = [member("a", 1, 1), member("", 0, 0, { id: "beef", problem: "it has never started" })];
        assert.equal(defragmentationProblem({ members }), "beef: it has never started");
        assert.equal(defragmentationProblem({ members: members.slice(0, 1) }), undefined);
    });
});
