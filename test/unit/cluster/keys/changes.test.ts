import assert from "node:assert/strict";
import { describeKeyChanges, keyProblems, rewriteProblems } from "../../../../cluster/keys/changes";
import { firstKeys, type KeyLists } from "../../../../cluster/keys/lists";

const of = (...serviceAccount: number[]): KeyLists => ({ ...firstKeys, serviceAccount });
const holders = (...keys: KeyLists[]) => keys.map((each, index) => ({ name: `holder ${index}`, keys: each }));

describe("other keys", () => {
    const legal: [number[], number[]][] = [
        [[1], [1, 2]],
        [
            [1, 2],
            [2, 1],
        ],
        [[2, 1], [2]],
    ];
    for (const [from, to] of legal) {
        it(`may be ${JSON.stringify(to)} after ${JSON.stringify(from)}, and the other way round`, () => {
            assert.deepEqual(keyProblems(holders(of(...from)), of(...to)), []);
            assert.deepEqual(keyProblems(holders(of(...to)), of(...from)), []);
        });
    }

    const lists = [[1], [1, 2], [2, 1], [2]];
    for (const from of lists) {
        for (const to of lists) {
            const isLegal = to.includes(from[0]!) && from.includes(to[0]!);
            it(`${isLegal ? "may" : "may not"} go from ${JSON.stringify(from)} to ${JSON.stringify(to)} at once`, () => {
                // A token signed by any holder is accepted by all others.
                assert.equal(keyProblems(holders(of(...from)), of(...to)).length === 0, isLegal);
            });
        }
    }

    it("are checked against every component that has keys, even after an interrupted update", () => {
        assert.equal(keyProblems(holders(of(1, 2)), of(2, 1)).length, 0);
        assert.deepEqual(keyProblems(holders(of(1, 2), of(1)), of(2, 1)), [
            "keys.serviceAccount must be a list that begins with 1 while holder 1 has [1]: 2 must be accepted everywhere before it is used (got [2,1])",
        ]);
    });

    it("list all components in the way on one line, at most three by name", () => {
        const whoHas = (count: number) =>
            keyProblems(holders(...Array(count).fill(of(1))), of(2, 1)).map((each) => /while (.*):/.exec(each)![1]);
        assert.deepEqual(whoHas(2), ["holder 0 and holder 1 have [1]"]);
        assert.deepEqual(whoHas(3), ["holder 0, holder 1 and holder 2 have [1]"]);
        assert.deepEqual(whoHas(5), ["holder 0, holder 1 and 3 others have [1]"]);
    });

    it("are described with what changes and the next step", () => {
        const current = (from: number[], to: number[]) => describeKeyChanges(of(...from), of(...to)).join();
        assert.equal(current([1], [1]), "");
        assert.equal(current([1], [1, 2]), "keys.serviceAccount: 2 is now accepted; then [2,1]");
        assert.equal(
            current([1, 2], [2, 1]),
            "keys.serviceAccount: 2 signs service account tokens instead of 1; then [2]",
        );
        assert.equal(current([2, 1], [2]), "keys.serviceAccount: 1 is no longer accepted");
    });
});

describe("other keys of Secrets", () => {
    const encryption = (...keys: (number | "plain")[]): KeyLists => ({ ...firstKeys, encryption: keys });
    const none = "none" as const;

    it("may lose one when the Job of what they were is complete, and not before", () => {
        const [from, to] = [encryption(1, "plain"), encryption(1)];
        assert.deepEqual(rewriteProblems(from, to, { current: "complete", desired: none }), []);
        for (const current of ["incomplete", none] as const) {
            assert.deepEqual(rewriteProblems(from, to, { current, desired: none }), [
                'keys.encryption must be [1,"plain"] until all Secrets are rewritten with 1: run pulumi up with it first (got [1])',
            ]);
        }
    });

    it("can be added, and become the first, without a Job", () => {
        assert.deepEqual(rewriteProblems(firstKeys, encryption("plain", 1), { current: none, desired: none }), []);
        const rewrites = { current: "incomplete", desired: none } as const;
        assert.deepEqual(rewriteProblems(encryption("plain", 1), encryption(1, "plain"), rewrites), []);
    });

    it("may not go back to what an up that was interrupted has left the Job of: it is of an earlier time", () => {
        const rewrites = { current: none, desired: "complete" } as const;
        assert.deepEqual(rewriteProblems(encryption(1, 2), encryption(2, 1), rewrites), [
            "keys.encryption must be [1,2] until a pulumi up with it has finished (got [2,1])",
        ]);
    });
});
