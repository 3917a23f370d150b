import assert from "node:assert/strict";
import { caName, hasFirstCa, trustedCaGenerations } from "../../../../cluster/keys/kubernetes-ca";

describe("the Kubernetes CA", () => {
    it("has a name with its generation, which identifies it on machines", () => {
        assert.deepEqual([1, 2].map(caName), ["kubernetes-ca", "kubernetes-ca-2"]);
    });

    it("is trusted in a fixed order, whichever one issues", () => {
        assert.deepEqual(trustedCaGenerations({ kubernetesCa: [10, 9] }), [9, 10]);
        assert.deepEqual(trustedCaGenerations({ kubernetesCa: [9, 10] }), [9, 10]);
    });

    it("is the initial one or another", () => {
        assert.deepEqual(
            [[1], [1, 2], [2]].map((kubernetesCa) => hasFirstCa({ kubernetesCa })),
            [true, false, false],
        );
    });
});
