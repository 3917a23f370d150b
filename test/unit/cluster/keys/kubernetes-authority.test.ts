import assert from "node:assert/strict";
import { authorityName, hasFirstAuthority, trustedAuthorities } from "../../../../cluster/keys/authorities";

describe("the Kubernetes CA", () => {
    it("has a name with its generation, which identifies it on machines", () => {
        assert.deepEqual([1, 2].map(authorityName), ["kubernetes-ca", "kubernetes-ca-2"]);
    });

    it("is trusted in a fixed order, whichever one issues", () => {
        assert.deepEqual(trustedAuthorities({ kubernetesCa: [10, 9] }), [9, 10]);
        assert.deepEqual(trustedAuthorities({ kubernetesCa: [9, 10] }), [9, 10]);
    });

    it("is the initial one or another", () => {
        assert.deepEqual(
            [[1], [1, 2], [2]].map((kubernetesCa) => hasFirstAuthority({ kubernetesCa })),
            [true, false, false],
        );
    });
});
