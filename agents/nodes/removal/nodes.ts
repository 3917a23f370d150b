import { type ApiClient, list, patch } from "../../../clients/kubernetes/api-client";
import type { Node } from "../../../clients/kubernetes/objects";
import { checkpointerParent, statusAnnotation } from "../../checkpointer/plan";
import type { Status } from "../../checkpointer/status";
import { controllerPool, type NodeRemovalPlan, type Run } from "./plan";

/**
 * The stack's nodes that are no longer desired.
 *
 * Selected only by name and pool: a node that was added manually under another name is left alone.
 */
export function leavingNodes(
    { cluster, desired, poolLabel, groups }: Pick<NodeRemovalPlan, "cluster" | "desired" | "poolLabel" | "groups">,
    nodes: readonly Node[],
): Node[] {
    return nodes.filter(({ metadata: { name, labels } }) => {
        const pool = labels?.[poolLabel];
        if (pool === undefined) return false;
        if (isNamed(cluster, pool, name)) return !desired.includes(name);
        return groups !== undefined && new RegExp(groups.namePattern).test(name) && !groups.desired.includes(pool);
    });
}

/** Whether a name is `<cluster>-<pool>-<index>`. */
export function isNamed(cluster: string, pool: string, name: string): boolean {
    const prefix = `${cluster}-${pool}-`;
    return name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length));
}

export function isController({ poolLabel }: Pick<NodeRemovalPlan, "poolLabel">, { metadata }: Node): boolean {
    return metadata.labels?.[poolLabel] === controllerPool;
}

export function listNodes(api: ApiClient): Promise<readonly Node[]> {
    return list<Node>(api, "/api/v1/nodes");
}

export async function listLeaving({ api, plan }: Run): Promise<Node[]> {
    return leavingNodes(plan, await listNodes(api));
}

/** Merges a patch into a node. */
export function patchNode(api: ApiClient, name: string, body: object): Promise<Node> {
    return patch<Node>(api, `/api/v1/nodes/${name}`, "merge", body);
}

/**
 * A controller's remaining checkpoints, from its checkpointer's status, or undefined. Without a checkpointer there are
 * none.
 */
export function checkpointsOf({ metadata: { name, annotations } }: Node): string | undefined {
    const reported = annotations?.[statusAnnotation];
    if (reported === undefined) {
        return undefined;
    }
    const status = parse(reported);
    if (status === undefined) {
        return `${name} has an unreadable ${statusAnnotation}`;
    }
    // The checkpointer's own copy only sleeps on a node being removed: it has nothing to start.
    const kept = Object.keys(status).filter((parent) => parent !== checkpointerParent && status[parent]?.checkpoint);
    return kept.length === 0 ? undefined : `${name} has checkpoints of ${kept.join(", ")}`;
}

function parse(reported: string): Status | undefined {
    try {
        return JSON.parse(reported) ?? undefined;
    } catch {
        return undefined;
    }
}
