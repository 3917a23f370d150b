import assert from "node:assert/strict";
import { resolveCluster } from "../../../../components/cluster/resolve";
import { placeholderJoining } from "../../../../components/nodes/joining-configs";

describe("what stands for credentials in a preview", () => {
    it("has the length of every authority that machines trust", () => {
        const [one, two, other] = [[1], [1, 2], [2]].map(
            (kubernetesCa) => placeholderJoining(resolveCluster({ name: "c", keys: { kubernetesCa } })).ca.length,
        );
        assert.deepEqual([two, other], [2 * one!, one]);
    });

    it("has a token for each pool", () => {
        const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a" }] });
        assert.deepEqual(Object.keys(placeholderJoining(cluster).bootstrapTokens), ["controller", "a"]);
    });
});
