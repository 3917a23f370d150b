import assert from "node:assert/strict";
import { tokenProblems } from "../../../../cluster/keys/changes";

const signingSince = Date.parse("2026-11-22T06:00:00Z");
const facts = { dropped: new Map([["one", 1]]), lasting: [], signingSince };
const hour = 3_600_000;

describe("what a key is needed for still", () => {
    it("finds nothing if no key is removed", () => {
        assert.deepEqual(tokenProblems({ ...facts, dropped: new Map() }, signingSince), []);
    });

    it("is pods' tokens, within the hour in which kubelets renew them", () => {
        assert.deepEqual(tokenProblems(facts, signingSince + hour - 1), [
            "pods have tokens signed with key 1 until 2026-11-22 07:00 UTC: kubelets renew them within an hour",
        ]);
        assert.deepEqual(tokenProblems(facts, signingSince + hour), []);
    });

    it("finds every token without expiry that is signed with a removed key", () => {
        const lasting = [
            { name: "default/old", keyId: "one" },
            { name: "default/new", keyId: "two" },
        ];
        assert.deepEqual(tokenProblems({ ...facts, lasting }, signingSince + hour), [
            "the Secret default/old has a token of key 1 that does not expire: delete or recreate it",
        ]);
    });
});
