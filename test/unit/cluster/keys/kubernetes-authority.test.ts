import assert from "node:assert/strict";
import { authorityName, hasFirstAuthority, trustedAuthorities } from "../../../../cluster/keys/authorities";

describe("the Kubernetes authority", () => {
    it("has a name of its own by its generation, by which machines know it", () => {
        assert.deepEqual([1, 2].map(authorityName), ["kubernetes-ca", "kubernetes-ca-2"]);
    });

    it("is trusted in the same order whichever of several issues", () => {
        assert.deepEqual(trustedAuthorities({ kubernetesCa: [10, 9] }), [9, 10]);
        assert.deepEqual(trustedAuthorities({ kubernetesCa: [9, 10] }), [9, 10]);
    });

    it("is the one that a cluster begins with, or another", () => {
        assert.deepEqual(
            [[1], [1, 2], [2]].map((kubernetesCa) => hasFirstAuthority({ kubernetesCa })),
            [true, false, false],
        );
    });
});
