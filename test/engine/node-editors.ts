/** Objects that let a user change Nodes, as `kubectl edit node` does. */
export function mayEditNodes(user: string) {
    const group = "rbac.authorization.k8s.io";
    const name = "edit-nodes";
    const rules = [{ apiGroups: [""], resources: ["nodes", "nodes/status"], verbs: ["*"] }];
    return [
        { apiVersion: `${group}/v1`, kind: "ClusterRole", metadata: { name }, rules },
        {
            apiVersion: `${group}/v1`,
            kind: "ClusterRoleBinding",
            metadata: { name },
            roleRef: { apiGroup: group, kind: "ClusterRole", name },
            subjects: [{ apiGroup: group, kind: "User", name: user }],
        },
    ];
}
