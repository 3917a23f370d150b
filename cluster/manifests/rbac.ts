import { boundAdministrators, revocable } from "../keys/administrator";
import type { Manifest } from "../manifest";
import { type Cluster, nodesByPool } from "../model";

const apiGroup = "rbac.authorization.k8s.io";

/** Group prefix of clients with a pool's token, followed by the pool's name. */
export const poolGroupPrefix = "system:bootstrappers:tradewind-pool:";

/** User in the certificate of the agent that admits machines. */
export const nodeApproverUser = "tradewind:node-approver";

/** Group prefix of clients with a machine's token, followed by its node name. */
export const nodeGroupPrefix = "system:bootstrappers:tradewind-node:";

/** Group of clients with a pool's token: they may request a node certificate, which only node-approver approves. */
export function poolGroup(pool: string): string {
    return `${poolGroupPrefix}${pool}`;
}

/** Who has permissions. */
export const subjects = {
    user: (name: string) => ({ apiGroup, kind: "User", name }),
    group: (name: string) => ({ apiGroup, kind: "Group", name }),
    account: (name: string) => ({ kind: "ServiceAccount", name, namespace: "kube-system" }),
};

/** Permissions of joining and running nodes. Source: Kubernetes' "TLS bootstrapping" page. */
export function rbacManifests(cluster: Cluster): Manifest[] {
    const { user, group } = subjects;
    const administrators = boundAdministrators(cluster.certificates);
    return [
        ...(administrators ? [clusterBinding(revocable, "cluster-admin", group(administrators))] : []),
        clusterBinding(
            "tradewind:node-bootstrapper",
            "system:node-bootstrapper",
            ...Object.keys(nodesByPool(cluster)).map((pool) => group(poolGroup(pool))),
        ),
        ...(cluster.certificates.kubeletRenewal === "any"
            ? [
                  clusterBinding(
                      "tradewind:approve-node-client-renewal",
                      "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
                      group("system:nodes"),
                  ),
              ]
            : []),
        // The apiserver's own identity for kubelets, instead of system:masters.
        clusterBinding(
            "tradewind:kube-apiserver-to-kubelet",
            "system:kubelet-api-admin",
            user("kube-apiserver-kubelet-client"),
        ),
    ];
}

export function clusterRole(name: string, rules: readonly object[]): Manifest {
    return { apiVersion: `${apiGroup}/v1`, kind: "ClusterRole", metadata: { name }, rules };
}

/** Gives a cluster role to its subjects. */
export function clusterBinding(name: string, role: string, ...to: readonly object[]): Manifest {
    return {
        apiVersion: `${apiGroup}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name },
        roleRef: { apiGroup, kind: "ClusterRole", name: role },
        subjects: to,
    };
}

/** Where a role applies. */
interface Place {
    readonly name: string;
    readonly namespace: string;
}

/** Gives a role to its subjects. @param role - @default - the one of the same name */
export function binding(metadata: Place, to: readonly object[], role = metadata.name): Manifest {
    return {
        apiVersion: `${apiGroup}/v1`,
        kind: "RoleBinding",
        metadata,
        roleRef: { apiGroup, kind: "Role", name: role },
        subjects: to,
    };
}

/** Permissions of subjects in one namespace. */
export function role(metadata: Place, rules: readonly object[], ...to: readonly object[]): Manifest[] {
    return [{ apiVersion: `${apiGroup}/v1`, kind: "Role", metadata, rules }, binding(metadata, to)];
}

/** A service account in kube-system with the cluster-wide permissions that it needs. */
export function serviceAccount(name: string, rules: object[]): Manifest[] {
    return [account(name), clusterRole(`tradewind:${name}`, rules), bindAccount(name, `tradewind:${name}`)];
}

/** A service account in kube-system bound to a built-in role. */
export function serviceAccountWithRole(name: string, role: string): Manifest[] {
    return [account(name), bindAccount(name, role)];
}

/** Additional permissions of such an account in one namespace only. */
export function namespaceRole(name: string, rules: object[], namespace = "kube-system"): Manifest[] {
    return role({ name: `tradewind:${name}`, namespace }, rules, subjects.account(name));
}

/** Permission of such an account to report events about Nodes, which are in this namespace. */
export function nodeEventsRole(name: string): Manifest[] {
    return namespaceRole(name, [{ apiGroups: [""], resources: ["events"], verbs: ["create"] }], "default");
}

/** User name of an account of kube-system. */
export function userOf(serviceAccount: string): string {
    return `system:serviceaccount:kube-system:${serviceAccount}`;
}

function bindAccount(name: string, role: string): Manifest {
    return clusterBinding(`tradewind:${name}`, role, subjects.account(name));
}

export function account(name: string): Manifest {
    return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: "kube-system" } };
}
