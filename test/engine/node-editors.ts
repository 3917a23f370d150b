const group = "rbac.authorization.k8s.io";

/** Objects that let a user change Nodes, as `kubectl edit node` does. */
export function mayEditNodes(user: string) {
    return allowed(user, "edit-nodes", ["nodes", "nodes/status"]);
}

/** Objects that let a user change ConfigMaps of every namespace. */
export function mayEditConfigMaps(user: string) {
    return allowed(user, "edit-configmaps", ["configmaps"]);
}

function allowed(user: string, name: string, resources: readonly string[]) {
    const rules = [{ apiGroups: [""], resources, verbs: ["*"] }];
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
