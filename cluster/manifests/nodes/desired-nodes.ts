import type { NodeGroups } from "../../../agents/nodes/removal/plan";
import type { Manifest } from "../../manifest";
import { type Cluster, nodesByPool } from "../../model";
import { configMap, systemNamespace } from "../objects";
import { role, subjects } from "../rbac";

/** Record of the stack's nodes: if one of them has no Node, it was deleted by mistake. */
export const desiredNodesName = "desired-nodes";

/** Key of a pool whose nodes are named by the cloud. */
export function poolKey(pool: string): string {
    return `pool.${pool}`;
}

/** Nodes named in the record. A pool whose nodes the cloud names has placeholders, as many as the stack desires. */
export function namedIn(data: Readonly<Record<string, string>> = {}): string[] {
    return Object.keys(data).filter((key) => !isPoolKey(key) && !(poolKey(data[key]!) in data));
}

/** Desired number of nodes of each pool whose nodes the cloud names; where an autoscaler may change it, at first. */
export function sizesIn(data: Readonly<Record<string, string>> = {}): Record<string, number> {
    const pools = Object.keys(data).filter(isPoolKey);
    return Object.fromEntries(
        pools.map((key) => {
            const pool = key.slice(poolKey("").length);
            return [pool, Object.entries(data).filter(([name, of]) => of === pool && !isPoolKey(name)).length];
        }),
    );
}

function isPoolKey(key: string): boolean {
    return key.startsWith(poolKey(""));
}

/** Pools of the same, by node name. */
export function poolsIn(data: Readonly<Record<string, string>> = {}): Record<string, string> {
    return Object.fromEntries(namedIn(data).map((name) => [name, data[name]!]));
}

/** Pools of the nodes that the stack names, by node. @param groups - whose nodes the cloud names. @default - none is left out */
export function namedByStack(cluster: Cluster, groups?: NodeGroups): ReadonlyMap<string, string> {
    const pools = Object.entries(nodesByPool(cluster)).filter(([pool]) => !groups?.desired.includes(pool));
    return new Map(pools.flatMap(([pool, names]) => names.map((name) => [name, pool])));
}

/** The record, and permission for every node to read it. It must be written before a node is removed. */
export function desiredNodes(cluster: Cluster, groups?: NodeGroups): Manifest[] {
    const byName = [...namedByStack(cluster)];
    const byPool = (groups?.desired ?? []).map((pool) => [poolKey(pool), "any"]);
    return [
        configMap(desiredNodesName, Object.fromEntries([...byName, ...byPool])),
        ...role(
            { name: `tradewind:${desiredNodesName}`, namespace: systemNamespace },
            [{ apiGroups: [""], resources: ["configmaps"], resourceNames: [desiredNodesName], verbs: ["get"] }],
            subjects.group("system:nodes"),
        ),
    ];
}
