import { type ApiClient, list, patch } from "../../../clients/kubernetes/api-client";
import { leavingAnnotation } from "../../../clients/kubernetes/nodes";
import type { Node, With } from "../../../clients/kubernetes/objects";
import type { AdmittedControllers, NodeApproverPlan, NodePools } from "./plan";
import { readControllers, readPools, readWithoutRole } from "./stack-lists";

export type ControllerNode = With<Node, "uid" | "resourceVersion">;

/**
 * Which controllers' nodes get their missing role back: a Node that was deleted and registered again lacks it.
 *
 * Only the kubelet with that name's certificate can have registered it. A node that the stack has not admitted to etcd
 * yet must not run the control plane, and one being removed, or no longer listed, must not run it again.
 *
 * @param candidates - are controllers, too, if the record says so, which has been checked
 */
export function nodesToGrant(
    nodes: readonly ControllerNode[],
    { pools }: NodePools,
    admitted: AdmittedControllers,
    { controllerPool, candidates = [] }: Pick<NodeApproverPlan, "controllerPool" | "candidates">,
): ControllerNode[] {
    const pool = Object.hasOwn(pools, controllerPool) ? pools[controllerPool] : undefined;
    const names = pool && "nodes" in pool ? pool.nodes : [];
    return nodes.filter(
        ({ metadata: { name, annotations = {} } }) =>
            ((names.includes(name) && admitted.includes(name)) || candidates.includes(name)) &&
            !(leavingAnnotation in annotations),
    );
}

/** Paths of the lists of controllers, and of candidates, without the role. */
export function withoutRolePaths(plan: NodeApproverPlan): string[] {
    const { poolLabel, controllerPool, controllerLabel, candidates = [] } = plan;
    const selectors = [
        `!${controllerLabel},${poolLabel}=${controllerPool}`,
        ...(candidates.length > 0 ? [`!${controllerLabel},kubernetes.io/hostname in (${candidates.join(",")})`] : []),
    ];
    return selectors.map((selector) => `/api/v1/nodes?labelSelector=${encodeURIComponent(selector)}`);
}

/** A node that is to stay without the role is checked this often. One that registers again is another. */
const withheldMilliseconds = 300_000;

/**
 * Gives controllers that registered again their role.
 *
 * @param nodes - those without it. @default - from the API
 * @param withheld - when each of them was last found to stay without it, by UID, in milliseconds of a monotonic clock
 */
export async function grantRoles(
    api: ApiClient,
    plan: NodeApproverPlan,
    nodes?: readonly ControllerNode[],
    withheld = new Map<string, number>(),
): Promise<void> {
    const { controllerLabel, fieldManager } = plan;
    nodes ??= (await Promise.all(withoutRolePaths(plan).map((path) => list<ControllerNode>(api, path)))).flat();
    const now = performance.now();
    for (const uid of withheld.keys()) if (!nodes.some(({ metadata }) => metadata.uid === uid)) withheld.delete(uid);
    const isDue = (uid: string) => now - (withheld.get(uid) ?? Number.NEGATIVE_INFINITY) >= withheldMilliseconds;
    const due = nodes.filter(({ metadata }) => isDue(metadata.uid));
    if (due.length === 0) return;
    const staysWithout = await readWithoutRole(api, plan);
    const others = due.filter(({ metadata }) => !staysWithout(metadata.name));
    for (const node of due) if (!others.includes(node)) withheld.set(node.metadata.uid, now);
    if (others.length === 0) return;
    const pools = await readPools(api, plan);
    const admitted = await readControllers(api, plan);
    for (const { metadata } of nodesToGrant(others, pools, admitted, plan)) {
        const { name, resourceVersion } = metadata;
        // A removal that began in the meantime has changed it.
        const body = { metadata: { resourceVersion, labels: { [controllerLabel]: "" } } };
        await patch(api, `/api/v1/nodes/${name}?fieldManager=${fieldManager}`, "merge", body);
        console.log(`${name} has registered again: restored its controller role`);
    }
}
