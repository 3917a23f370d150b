import { type ApiClient, list, metadataOnly, patch } from "../../../clients/kubernetes/api-client";
import type { Node, With } from "../../../clients/kubernetes/objects";
import type { NodeApproverPlan, NodePools } from "./plan";
import { readPools } from "./stack-lists";

export type LabelledNode = With<Node, "resourceVersion">;

/** Nodes named by the stack without the label of their pool, or with another one's, and their pool. */
export function nodesToLabel(
    nodes: readonly LabelledNode[],
    { pools }: NodePools,
    poolLabel: string,
): (readonly [LabelledNode, pool: string])[] {
    const poolOf = new Map(
        Object.entries(pools).flatMap(([pool, each]) =>
            "nodes" in each ? each.nodes.map((name) => [name, pool]) : [],
        ),
    );
    return nodes.flatMap((node) => {
        const { name, labels = {} } = node.metadata;
        const pool = poolOf.get(name);
        return pool === undefined || labels[poolLabel] === pool ? [] : [[node, pool] as const];
    });
}

/** That many nodes at once. */
const path = "/api/v1/nodes?limit=500";

/**
 * Restores the pool label of nodes that the stack names: it selects the agent that changes a node's kubelet, and a
 * kubelet only sets it when it registers its Node.
 */
export async function restorePools(api: ApiClient, plan: NodeApproverPlan): Promise<void> {
    const { poolLabel, fieldManager } = plan;
    const nodes = await list<LabelledNode>(api, path, metadataOnly);
    for (const [{ metadata }, pool] of nodesToLabel(nodes, await readPools(api, plan), poolLabel)) {
        const { name, resourceVersion, labels } = metadata;
        const body = { metadata: { resourceVersion, labels: { [poolLabel]: pool } } };
        await patch(api, `/api/v1/nodes/${name}?fieldManager=${fieldManager}`, "merge", body);
        console.log(`${name}: restored its label ${poolLabel}=${pool}, which was ${labels?.[poolLabel] ?? "missing"}`);
    }
}
