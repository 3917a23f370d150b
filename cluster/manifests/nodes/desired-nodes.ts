import type { NodeGroups } from "../../../agents/nodes/removal/plan";
import type { Manifest } from "../../manifest";
import { type Cluster, nodesByPool } from "../../model";

/** Record of the stack's nodes: if one of them has no Node, it was deleted by mistake. */
export const wantedNodesName = "wanted-nodes";

/** Key of a pool whose nodes are named by the cloud. */
export function poolKey(pool: string): string {
    return `pool.${pool}`;
}

/** Nodes named in the record, without those named by the cloud. */
export function namedIn(data: Readonly<Record<string, string>> | undefined): string[] {
    return Object.keys(data ?? {}).filter((key) => !key.startsWith(poolKey("")));
}

/** The record, and permission for every node to read it. It must be written before a node is removed. */
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
