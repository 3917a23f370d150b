import type { NodeGroups } from "../../../agents/nodes/removal/plan";
import type { Manifest } from "../../manifest";
import { type Cluster, nodesByPool } from "../../model";

/** The record of the nodes that the stack has: a Node of it that is missing was deleted by mistake. */
export const wantedNodesName = "wanted-nodes";

/** The key of a pool whose nodes the cloud names. */
export function poolKey(pool: string): string {
    return `pool.${pool}`;
}

/** The nodes that the record names: those of pools whose nodes the cloud names are not among them. */
export function namedIn(data: Readonly<Record<string, string>> | undefined): string[] {
    return Object.keys(data ?? {}).filter((key) => !key.startsWith(poolKey("")));
}

/** The record, and that every node may read it. It has to be written before a node is removed. */
export function wantedNodes(cluster: Cluster, groups?: NodeGroups): Manifest[] {
    const metadata = { name: wantedNodesName, namespace: "kube-system" };
    const byName = Object.entries(nodesByPool(cluster)).flatMap(([pool, names]) => names.map((name) => [name, pool]));
    const byPool = (groups?.wanted ?? []).map((pool) => [poolKey(pool), "any"]);
    const role = { name: `tradewind:${wantedNodesName}`, namespace: "kube-system" };
    return [
        { apiVersion: "v1", kind: "ConfigMap", metadata, data: Object.fromEntries([...byName, ...byPool]) },
        {
            apiVersion: "rbac.authorization.k8s.io/v1",
            kind: "Role",
            metadata: role,
            rules: [{ apiGroups: [""], resources: ["configmaps"], resourceNames: [wantedNodesName], verbs: ["get"] }],
        },
        {
            apiVersion: "rbac.authorization.k8s.io/v1",
            kind: "RoleBinding",
            metadata: role,
            roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: role.name },
            subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:nodes" }],
        },
    ];
}
