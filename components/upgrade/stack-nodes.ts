import { leavingNodes } from "../../agents/nodes/removal/nodes";
import type { NodeGroups } from "../../agents/nodes/removal/plan";
import { type ApiClient, list, metadataOnly } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { ApiObject, ConfigMap } from "../../clients/kubernetes/objects";
import { poolLabel } from "../../cluster/labels";
import { desiredNodesName, namedByStack, namedIn } from "../../cluster/manifests/nodes/desired-nodes";
import type { Cluster } from "../../cluster/model";

/** The cluster's nodes, compared with those of the stack. */
export interface StackNodes {
    /** All of them. */
    readonly all: readonly ApiObject[];
    /** Those whose machines the stack removes. */
    readonly leaving: readonly ApiObject[];
    /** Those that stay although their label selects no node-agent, or that of another pool. */
    readonly unserved: readonly { readonly name: string; readonly label?: string; readonly pool?: string }[];
}

export async function stackNodes(
    api: Pick<ApiClient, "call">,
    cluster: Cluster,
    groups?: NodeGroups,
): Promise<StackNodes> {
    const record = `/api/v1/namespaces/kube-system/configmaps/${desiredNodesName}`;
    const [all, recorded] = await Promise.all([
        list<ApiObject>(api, "/api/v1/nodes", metadataOnly),
        ifFound(api.call<ConfigMap>(record)),
    ]);
    return compareNodes(cluster, all, namedIn(recorded?.data), groups);
}

/** @param recorded - nodes that the stack named before, whatever their labels are now */
export function compareNodes(
    cluster: Cluster,
    all: readonly ApiObject[],
    recorded: readonly string[],
    groups?: NodeGroups,
): StackNodes {
    const pools = namedByStack(cluster, groups);
    const desired = [...pools.keys()];
    const labelled = leavingNodes({ cluster: cluster.name, desired, poolLabel, ...(groups && { groups }) }, all);
    const named = all.filter(({ metadata: { name } }) => recorded.includes(name) && !desired.includes(name));
    const isOfGroup = ({ metadata }: ApiObject) => groups && new RegExp(groups.namePattern).test(metadata.name);
    const unserved = all.flatMap((node) => {
        const { name, labels } = node.metadata;
        const [label, pool] = [labels?.[poolLabel], pools.get(name)];
        const isServed = pool === undefined ? !(isOfGroup(node) && label === undefined) : label === pool;
        return isServed ? [] : [{ name, ...(label !== undefined && { label }), ...(pool !== undefined && { pool }) }];
    });
    return { all, leaving: [...new Set([...labelled, ...named])], unserved };
}

/** A node that an upgrade would leave behind, and what to do. */
export function describeUnserved({ name, label, pool }: StackNodes["unserved"][number]): string {
    const has = label === undefined ? `has no label ${poolLabel}` : `has the label ${poolLabel}=${label}`;
    const fix = `kubectl label node ${name} ${poolLabel}=${pool ?? "<pool>"} --overwrite`;
    return `the node ${name} ${has}, so no node-agent of its pool updates its kubelet: run \`${fix}\``;
}
