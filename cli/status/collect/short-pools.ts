import { autoscalerName } from "../../../cluster/manifests/addons/cluster-autoscaler";
import { type ClusterFacts, ifKnown, type ShortPool } from "../facts";

/** Pools that have fewer nodes than the stack desires: those of pools whose nodes the cloud names, unless an autoscaler sets their sizes. */
export function shortPools({
    nodes,
    workloads,
    poolSizes = {},
}: Pick<ClusterFacts, "nodes" | "workloads" | "poolSizes">): ShortPool[] {
    const all = ifKnown(nodes);
    const isAutoscaled = (ifKnown(workloads) ?? []).some(({ name }) => name === autoscalerName);
    if (all === undefined || isAutoscaled) return [];
    return Object.entries(poolSizes).flatMap(([name, size]) => {
        const present = all.filter(({ pool }) => pool === name).length;
        return present < size ? [{ name, size, present }] : [];
    });
}
