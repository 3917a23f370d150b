import assert from "node:assert/strict";
import { keyProblems } from "../../../../cluster/keys/changes";
import { firstKeys } from "../../../../cluster/keys/lists";
import { memberHolders, memberProblems } from "../../../../cluster/keys/rotation-check";

const members = (...lists: number[][]) => lists.map((etcdCa, index) => ({ name: `etcd-c-${index}`, etcdCa }));
const problems = (recorded: number[], has: number[][], desired: number[], controllers = ["c-0"]) =>
    memberProblems({ etcdCa: recorded }, members(...has), controllers, { etcdCa: desired });

describe("members of etcd, before a rotation of their CA", () => {
    it("have nothing against a step that follows from what they have", () => {
        assert.deepEqual(problems([1], [[1]], [1, 2]), []);
        assert.deepEqual(problems([1, 2], [[1, 2]], [2, 1]), []);
        assert.deepEqual(problems([2, 1], [[2, 1]], [1, 2]), []);
    });

    it("are to be known, each", () => {
        assert.deepEqual(problems([1], [[1]], [1, 2], ["c-0", "c-1"]), [
            "keys.etcdCa must be [1] until pod etcd-c-1 exists: it shows what the member trusts (got [1,2])",
        ]);
        assert.deepEqual(problems([1], [], [1]), []);
    });

    it("trust one that was given up, whose number is taken", () => {
        assert.deepEqual(problems([1], [[1, 2]], [1, 2]), [
            "keys.etcdCa must be a list without 2 while the pod etcd-c-0 has [1,2]: that CA was abandoned, so use another number (got [1,2])",
        ]);
        assert.deepEqual(problems([1], [[1, 2]], [1, 3]), []);
    });

    it("have no other keys, of which nothing is held against them", () => {
        const desired = { ...firstKeys, serviceAccount: [2], etcdCa: [2, 1] };
        assert.deepEqual(keyProblems(memberHolders(members([1, 2])), desired), []);
        assert.equal(keyProblems(memberHolders(members([1])), desired).length, 1);
    });
});
