import assert from "node:assert/strict";
import type { Manifest } from "../../../../cluster/manifest";
import { apiPermissions } from "../../../../dev/reference/permissions";

const rbac = { apiVersion: "rbac.authorization.k8s.io/v1" };

describe("API permissions", () => {
    it("are listed by binding, with a row per rule, from the role in its own namespace", () => {
        const manifests: Manifest[] = [
            {
                ...rbac,
                kind: "Role",
                metadata: { name: "r", namespace: "a" },
                rules: [
                    { resources: ["leases"], resourceNames: ["turn"], verbs: ["get", "patch"] },
                    { resources: ["jobs"], verbs: ["list"] },
                ],
            },
            { ...rbac, kind: "Role", metadata: { name: "r", namespace: "b" }, rules: [] },
            {
                ...rbac,
                kind: "RoleBinding",
                metadata: { name: "x", namespace: "a" },
                roleRef: { kind: "Role", name: "r" },
                subjects: [
                    { kind: "ServiceAccount", name: "agent" },
                    { kind: "Group", name: "system:nodes" },
                ],
            },
        ];
        assert.deepEqual(apiPermissions(manifests), [
            ["`agent`, group `system:nodes`", "a", "get, patch `leases` (`turn`)"],
            ["", "", "list `jobs`"],
        ]);
    });

    it("name a role of Kubernetes' own", () => {
        const binding = {
            ...rbac,
            kind: "ClusterRoleBinding",
            metadata: { name: "x" },
            roleRef: { kind: "ClusterRole", name: "system:node-proxier" },
            subjects: [{ kind: "ServiceAccount", name: "kube-proxy" }],
        };
        assert.deepEqual(apiPermissions([binding]), [
            ["`kube-proxy`", "everywhere", "permissions of Kubernetes' ClusterRole `system:node-proxier`"],
        ]);
    });
});
