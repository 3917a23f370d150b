import assert from "node:assert/strict";
import { ruleFor } from "../../../../../../simulator/plugins/kubernetes/await/rules";

describe("whether an object is awaited", () => {
    it("is not so for kinds that are complete when they are made", () => {
        for (const kind of ["ConfigMap", "ServiceAccount", "Namespace"]) {
            assert.equal(ruleFor({ apiVersion: "v1", kind }), undefined);
        }
    });

    it("is not so where the program says skipAwait", () => {
        const annotations = { "pulumi.com/skipAwait": "true" };
        assert.equal(ruleFor({ apiVersion: "v1", kind: "Pod", metadata: { annotations } }), undefined);
    });

    it("does not depend on the version of the API", () => {
        assert.equal(
            ruleFor({ apiVersion: "apps/v1beta2", kind: "DaemonSet" }),
            ruleFor({ apiVersion: "apps/v1", kind: "DaemonSet" }),
        );
    });
});
