import assert from "node:assert/strict";
import { apiVersionOf, hasNamespace, kindOf, parseType } from "../../../../../simulator/plugins/kubernetes/object";

describe("Kubernetes kinds", () => {
    const types: [string, object][] = [
        ["kubernetes:core/v1:ConfigMap", { group: "", version: "v1", kind: "ConfigMap", isPatch: false }],
        ["kubernetes:apps/v1:DeploymentPatch", { group: "apps", version: "v1", kind: "Deployment", isPatch: true }],
        [
            "kubernetes:rbac.authorization.k8s.io/v1:Role",
            { group: "rbac.authorization.k8s.io", version: "v1", kind: "Role", isPatch: false },
        ],
    ];
    for (const [type, kind] of types) {
        it(`reads ${type}`, () => assert.deepEqual(parseType(type), kind));
    }

    it("rejects what is not a kind", () => {
        assert.throws(
            () => parseType("kubernetes:yaml:ConfigFile"),
            /kubernetes:yaml:ConfigFile is not a Kubernetes kind/,
        );
    });

    it("reads the kind of an object and writes its apiVersion", () => {
        for (const apiVersion of ["v1", "apps/v1"]) {
            assert.equal(apiVersionOf(kindOf({ apiVersion, kind: "Any" })), apiVersion);
        }
        assert.deepEqual(kindOf({ apiVersion: "v1", kind: "Pod" }), { group: "", version: "v1", kind: "Pod" });
    });

    const namespaces: [string, string, boolean | undefined][] = [
        ["v1", "Secret", true],
        ["v1", "Node", false],
        ["scheduling.k8s.io/v1", "PriorityClass", false],
        ["policy/v1", "PodDisruptionBudget", true],
        ["example.com/v1", "Anything", undefined],
        ["gateway.networking.k8s.io/v1", "GatewayClass", undefined],
    ];
    for (const [apiVersion, kind, expected] of namespaces) {
        it(`returns ${expected} for the namespace of ${apiVersion} ${kind}`, () => {
            assert.equal(hasNamespace(kindOf({ apiVersion, kind })), expected);
        });
    }
});
