import type { Manifest } from "../cluster/manifest";

const apiGroup = "rbac.authorization.k8s.io";

/** A service account in kube-system with the cluster-wide rights it needs. */
export function serviceAccount(name: string, rules: object[]): Manifest[] {
    return [account(name), clusterRole(name, rules), binding(name, `tradewind:${name}`)];
}

/** A service account in kube-system bound to a role that Kubernetes defines. */
export function serviceAccountWithRole(name: string, role: string): Manifest[] {
    return [account(name), binding(name, role)];
}

/** What such an account may do in kube-system alone, beside. */
export function systemRole(name: string, rules: object[]): Manifest[] {
    const metadata = { name: `tradewind:${name}`, namespace: "kube-system" };
    return [
        { apiVersion: `${apiGroup}/v1`, kind: "Role", metadata, rules },
        {
            apiVersion: `${apiGroup}/v1`,
            kind: "RoleBinding",
            metadata,
            roleRef: { apiGroup, kind: "Role", name: metadata.name },
            subjects: [{ kind: "ServiceAccount", name, namespace: "kube-system" }],
        },
    ];
}

function account(name: string): Manifest {
    return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: "kube-system" } };
}

function clusterRole(name: string, rules: object[]): Manifest {
    return { apiVersion: `${apiGroup}/v1`, kind: "ClusterRole", metadata: { name: `tradewind:${name}` }, rules };
}

function binding(name: string, role: string): Manifest {
    return {
        apiVersion: `${apiGroup}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name: `tradewind:${name}` },
        roleRef: { apiGroup, kind: "ClusterRole", name: role },
        subjects: [{ kind: "ServiceAccount", name, namespace: "kube-system" }],
    };
}
