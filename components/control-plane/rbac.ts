import type { Manifest } from "../cluster/manifest";

const rbac = "rbac.authorization.k8s.io";

/** The group of every bootstrap token of the cluster. */
export const bootstrapGroup = "system:bootstrappers:tradewind";

/** What joining and running nodes may do. Source: Kubernetes' "TLS bootstrapping" page. */
export function rbacManifests(): Manifest[] {
    return [
        bindGroup("tradewind:node-bootstrapper", "system:node-bootstrapper", bootstrapGroup),
        bindGroup(
            "tradewind:approve-node-client-csr",
            "system:certificates.k8s.io:certificatesigningrequests:nodeclient",
            bootstrapGroup,
        ),
        bindGroup(
            "tradewind:approve-node-client-renewal",
            "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
            "system:nodes",
        ),
        // The apiserver's own identity towards kubelets, instead of system:masters.
        bindUser("tradewind:kube-apiserver-to-kubelet", "system:kubelet-api-admin", "kube-apiserver-kubelet-client"),
        clusterInfoRole(),
        clusterInfoBinding(),
    ];
}

function bindGroup(name: string, role: string, group: string): Manifest {
    return binding(name, role, { kind: "Group", name: group });
}

function bindUser(name: string, role: string, user: string): Manifest {
    return binding(name, role, { kind: "User", name: user });
}

function binding(name: string, role: string, subject: { kind: string; name: string }): Manifest {
    return {
        apiVersion: `${rbac}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
        subjects: [{ apiGroup: rbac, ...subject }],
    };
}

function clusterInfoRole(): Manifest {
    return {
        apiVersion: `${rbac}/v1`,
        kind: "Role",
        metadata: { name: "tradewind:cluster-info", namespace: "kube-public" },
        rules: [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["cluster-info"], verbs: ["get"] }],
    };
}

function clusterInfoBinding(): Manifest {
    return {
        apiVersion: `${rbac}/v1`,
        kind: "RoleBinding",
        metadata: { name: "tradewind:cluster-info", namespace: "kube-public" },
        roleRef: { apiGroup: rbac, kind: "Role", name: "tradewind:cluster-info" },
        subjects: [
            { apiGroup: rbac, kind: "User", name: "system:anonymous" },
            { apiGroup: rbac, kind: "Group", name: "system:bootstrappers" },
        ],
    };
}
