import type { Manifest } from "../manifest";
import { type Cluster, nodesByPool } from "../model";

const apiGroup = "rbac.authorization.k8s.io";

/** Group prefix of clients with a pool's token, followed by the pool's name. */
export const poolGroupPrefix = "system:bootstrappers:tradewind-pool:";

/** Group prefix of clients with a machine's token, followed by its node name. */
export const nodeGroupPrefix = "system:bootstrappers:tradewind-node:";

/** Group of clients with a pool's token: they may request a node certificate, which only node-approver approves. */
export function poolGroup(pool: string): string {
    return `${poolGroupPrefix}${pool}`;
}

/** Permissions of joining and running nodes. Source: Kubernetes' "TLS bootstrapping" page. */
export function rbacManifests(cluster: Cluster): Manifest[] {
    return [
        binding(
            "tradewind:node-bootstrapper",
            "system:node-bootstrapper",
            Object.keys(nodesByPool(cluster)).map((pool) => ({ apiGroup, kind: "Group", name: poolGroup(pool) })),
        ),
        bindGroup(
            "tradewind:approve-node-client-renewal",
            "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
            "system:nodes",
        ),
        // The apiserver's own identity for kubelets, instead of system:masters.
        bindUser("tradewind:kube-apiserver-to-kubelet", "system:kubelet-api-admin", "kube-apiserver-kubelet-client"),
        clusterInfoRole(),
        clusterInfoBinding(),
    ];
}

function bindGroup(name: string, role: string, group: string): Manifest {
    return binding(name, role, [{ apiGroup, kind: "Group", name: group }]);
}

function bindUser(name: string, role: string, user: string): Manifest {
    return binding(name, role, [{ apiGroup, kind: "User", name: user }]);
}

function bindAccount(name: string, role: string): Manifest {
    return binding(`tradewind:${name}`, role, [{ kind: "ServiceAccount", name, namespace: "kube-system" }]);
}

function binding(name: string, role: string, subjects: readonly object[]): Manifest {
    return {
        apiVersion: `${apiGroup}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name },
        roleRef: { apiGroup, kind: "ClusterRole", name: role },
        subjects,
    };
}

function clusterInfoRole(): Manifest {
    return {
        apiVersion: `${apiGroup}/v1`,
        kind: "Role",
        metadata: { name: "tradewind:cluster-info", namespace: "kube-public" },
        rules: [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["cluster-info"], verbs: ["get"] }],
    };
}

function clusterInfoBinding(): Manifest {
    return {
        apiVersion: `${apiGroup}/v1`,
        kind: "RoleBinding",
        metadata: { name: "tradewind:cluster-info", namespace: "kube-public" },
        roleRef: { apiGroup, kind: "Role", name: "tradewind:cluster-info" },
        subjects: [
            { apiGroup, kind: "User", name: "system:anonymous" },
            { apiGroup, kind: "Group", name: "system:bootstrappers" },
        ],
    };
}

/** A service account in kube-system with the cluster-wide permissions that it needs. */
export function serviceAccount(name: string, rules: object[]): Manifest[] {
    return [account(name), clusterRole(name, rules), bindAccount(name, `tradewind:${name}`)];
}

/** A service account in kube-system bound to a built-in role. */
export function serviceAccountWithRole(name: string, role: string): Manifest[] {
    return [account(name), bindAccount(name, role)];
}

/** Additional permissions of such an account in kube-system only. */
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
