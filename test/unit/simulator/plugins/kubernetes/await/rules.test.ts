import assert from "node:assert/strict";
import { ruleFor } from "../../../../../../simulator/plugins/kubernetes/await/rules";

describe("awaiting an object", () => {
    it("is skipped for kinds that are complete on creation", () => {
        for (const kind of ["ConfigMap", "ServiceAccount", "Namespace"]) {
            assert.equal(ruleFor({ apiVersion: "v1", kind }), undefined);
        }
    });

    it("is skipped if the program sets skipAwait", () => {
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
