import assert from "node:assert/strict";
import { serviceAccount, serviceAccountWithRole } from "../../../../cluster/manifests/rbac";

describe("an add-on's service account", () => {
    it("has its own role with the given permissions", () => {
        const rules = [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }];
        const [account, role, binding] = serviceAccount("part", rules);
        assert.deepEqual(account!.metadata, { name: "part", namespace: "kube-system" });
        assert.deepEqual(role!.rules, rules);
        assert.equal((binding!.roleRef as { name: string }).name, role!.metadata.name);
        assert.deepEqual(binding!.subjects, [{ kind: "ServiceAccount", name: "part", namespace: "kube-system" }]);
    });

    it("may have a role of Kubernetes' own instead", () => {
        const manifests = serviceAccountWithRole("part", "system:node-proxier");
        assert.deepEqual(
            manifests.map(({ kind }) => kind),
            ["ServiceAccount", "ClusterRoleBinding"],
        );
        assert.equal((manifests[1]!.roleRef as { name: string }).name, "system:node-proxier");
    });
});
