import type { NodeGroups } from "../../../agents/nodes/removal/plan";
import type { Manifest } from "../../manifest";
import { type Cluster, nodesByPool } from "../../model";
import { configMap, systemNamespace } from "../objects";
import { role, subjects } from "../rbac";

/** Record of the stack's nodes: if one of them has no Node, it was deleted by mistake. */
export const desiredNodesName = "wanted-nodes";

/** Key of a pool whose nodes are named by the cloud. */
export function poolKey(pool: string): string {
    return `pool.${pool}`;
}

/** Nodes named in the record, without those named by the cloud. */
export function namedIn(data: Readonly<Record<string, string>> | undefined): string[] {
    return Object.keys(data ?? {}).filter((key) => !key.startsWith(poolKey("")));
}

/** Pools of the same, by node name. */
export function poolsIn(data: Readonly<Record<string, string>> | undefined): Record<string, string> {
    return Object.fromEntries(namedIn(data).map((name) => [name, data![name]!]));
}

/** The record, and permission for every node to read it. It must be written before a node is removed. */
export function desiredNodes(cluster: Cluster, groups?: NodeGroups): Manifest[] {
    const byName = Object.entries(nodesByPool(cluster)).flatMap(([pool, names]) => names.map((name) => [name, pool]));
    const byPool = (groups?.wanted ?? []).map((pool) => [poolKey(pool), "any"]);
    return [
        configMap(desiredNodesName, Object.fromEntries([...byName, ...byPool])),
        ...role(
            { name: `tradewind:${desiredNodesName}`, namespace: systemNamespace },
            [{ apiGroups: [""], resources: ["configmaps"], resourceNames: [desiredNodesName], verbs: ["get"] }],
            subjects.group("system:nodes"),
        ),
    ];
}
