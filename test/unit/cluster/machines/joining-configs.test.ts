import assert from "node:assert/strict";
import { placeholderJoining } from "../../../../cluster/machines/joining-configs";
import { resolveCluster } from "../../../../cluster/resolve";

describe("what stands for credentials in a preview", () => {
    it("has the length of all trusted CAs", () => {
        const [one, two, other] = [[1], [1, 2], [2]].map(
            (kubernetesCa) => placeholderJoining(resolveCluster({ name: "c", keys: { kubernetesCa } })).ca.length,
        );
        assert.deepEqual([two, other], [2 * one!, one]);
    });

    it("has a token of the length of one", () => {
        assert.match(placeholderJoining(resolveCluster({ name: "c" })).bootstrapToken, /^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    });
});
