import { type ApiClient, list, patch } from "../../../clients/kubernetes/api-client";
import { leavingAnnotation } from "../../../clients/kubernetes/nodes";
import type { Node, With } from "../../../clients/kubernetes/objects";
import type { AdmittedControllers, NodeApproverPlan, NodePools } from "./plan";
import { readControllers, readDemoted, readPools } from "./stack-lists";

export type ControllerNode = With<Node, "resourceVersion">;

/**
 * Which controllers' nodes get their missing role back: a Node that was deleted and registered again lacks it.
 *
 * Only the kubelet with that name's certificate can have registered it. A node that the stack has not admitted to etcd
 * yet must not run the control plane, and one being removed, or no longer listed, must not run it again.
 */
export function nodesToGrant(
    nodes: readonly ControllerNode[],
    { pools }: NodePools,
    admitted: AdmittedControllers,
    controllerPool: string,
): ControllerNode[] {
    const pool = Object.hasOwn(pools, controllerPool) ? pools[controllerPool] : undefined;
    const names = pool && "nodes" in pool ? pool.nodes : [];
    return nodes.filter(
        ({ metadata: { name, annotations = {} } }) =>
            names.includes(name) && admitted.includes(name) && !(leavingAnnotation in annotations),
    );
}

/** Path of the list of controllers without their role. */
export function withoutRolePath({ poolLabel, controllerPool, controllerLabel }: NodeApproverPlan): string {
    return `/api/v1/nodes?labelSelector=${encodeURIComponent(`!${controllerLabel},${poolLabel}=${controllerPool}`)}`;
}

/** A demoted controller stays without its role: it is checked this often. */
const demotedMilliseconds = 60_000;

/**
 * Gives controllers that registered again their role.
 *
 * @param nodes - controllers without it. @default - from the API
 * @param demoted - when each of them was last found demoted, in milliseconds of a monotonic clock
 */
export async function grantRoles(
    api: ApiClient,
    plan: NodeApproverPlan,
    nodes?: readonly ControllerNode[],
    demoted = new Map<string, number>(),
): Promise<void> {
    const { controllerPool, controllerLabel, fieldManager } = plan;
    nodes ??= await list<ControllerNode>(api, withoutRolePath(plan));
    const now = performance.now();
    const isDue = (name: string) => now - (demoted.get(name) ?? Number.NEGATIVE_INFINITY) >= demotedMilliseconds;
    const due = nodes.filter(({ metadata }) => isDue(metadata.name));
    if (due.length === 0) return;
    const isDemoted = await readDemoted(api, plan);
    for (const { metadata } of due.filter((node) => isDemoted(node.metadata.name))) demoted.set(metadata.name, now);
    const others = due.filter(({ metadata }) => !isDemoted(metadata.name));
    if (others.length === 0) return;
    const pools = await readPools(api, plan);
    const admitted = await readControllers(api, plan);
    for (const { metadata } of nodesToGrant(others, pools, admitted, controllerPool)) {
        const { name, resourceVersion } = metadata;
        // A removal that began in the meantime has changed it.
        const body = { metadata: { resourceVersion, labels: { [controllerLabel]: "" } } };
        await patch(api, `/api/v1/nodes/${name}?fieldManager=${fieldManager}`, "merge", body);
        console.log(`${name} has registered again: restored its controller role`);
    }
}
