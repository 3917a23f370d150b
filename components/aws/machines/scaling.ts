import { isDeepStrictEqual } from "node:util";
import type { types } from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import { nodeLabels } from "../../../cluster/labels";
import { autoscalerGroupTags } from "../../../cluster/manifests/addons/cluster-autoscaler";
import type { Cluster, WorkerPool } from "../../../cluster/model";
import { invalid } from "../../../cluster/validate";
import type { GroupFate } from "../../upgrade/local-data-hooks";
import type { Aws } from "../model";
import type { AwsPool } from "./pools";

/** The launch template of a group's instances. */
export interface TemplateVersion {
    readonly id: pulumi.Input<string>;
    readonly version: pulumi.Input<string>;
}

type Mixed = types.input.autoscaling.GroupMixedInstancesPolicy;

/** What a group launches: instances of its template, or of several types, on demand or spot. */
export function instancesOf(
    { instanceTypes, spot }: AwsPool,
    { id, version }: TemplateVersion,
): { launchTemplate: TemplateVersion } | { mixedInstancesPolicy: Mixed; capacityRebalance?: boolean } {
    if (instanceTypes.length === 1 && !spot) return { launchTemplate: { id, version } };
    const { onDemandBase = 0, onDemandPercentage = 100 } = spot ?? {};
    return {
        mixedInstancesPolicy: {
            launchTemplate: {
                launchTemplateSpecification: { launchTemplateId: id, version },
                overrides: instanceTypes.map((instanceType) => ({ instanceType })),
            },
            instancesDistribution: {
                // In the given order of preference.
                onDemandAllocationStrategy: "prioritized",
                onDemandBaseCapacity: onDemandBase,
                onDemandPercentageAboveBaseCapacity: onDemandPercentage,
                // The cheapest of those least likely to be interrupted.
                spotAllocationStrategy: "price-capacity-optimized",
            },
        },
        // Replaces an instance before it is interrupted, not after.
        ...(spot && { capacityRebalance: true }),
    };
}

/**
 * Not during a CA rotation: the CAs are part of the boot configuration, and each step would replace all instances for
 * something that agents deliver to them.
 */
export function mayRefresh({ keys }: Pick<Cluster, "keys">): boolean {
    return keys.kubernetesCa.length === 1;
}

/** How a group replaces its instances when its template changes. */
export function refreshOf({ refresh }: AwsPool): { instanceRefresh?: types.input.autoscaling.GroupInstanceRefresh } {
    if (!refresh) return {};
    const { min, max, warmupSeconds } = refresh;
    return {
        instanceRefresh: {
            strategy: "Rolling",
            preferences: {
                minHealthyPercentage: min,
                maxHealthyPercentage: max,
                instanceWarmup: String(warmupSeconds),
                skipMatching: true,
            },
        },
    };
}

interface GroupInputs {
    readonly desiredCapacity?: number;
    readonly maxSize?: number;
    readonly launchTemplate?: unknown;
    readonly mixedInstancesPolicy?: unknown;
    readonly instanceRefresh?: unknown;
}

/**
 * What a change of a group's inputs means for its instances.
 *
 * @param nodes - how many it has
 */
export function fateOfInstances(before: GroupInputs, after: GroupInputs, nodes: number): GroupFate {
    const launched = ({ launchTemplate, mixedInstancesPolicy }: GroupInputs) => [launchTemplate, mixedInstancesPolicy];
    if (after.instanceRefresh !== undefined && !isDeepStrictEqual(launched(before), launched(after))) return "replaced";
    const { desiredCapacity: had = 0 } = before;
    const { desiredCapacity: has = had, maxSize = nodes } = after;
    return has < had || maxSize < nodes ? "removed" : undefined;
}

/** Tags that cluster-autoscaler finds a group by, and that describe its nodes when it has none. */
export function autoscalerTags(
    cluster: string,
    { name, labels, taints }: WorkerPool,
    { scaling, onlyZone }: AwsPool,
): Record<string, string> {
    if (!scaling) return {};
    const domain = "k8s.io/cluster-autoscaler";
    const all = { ...nodeLabels(name, labels), ...(onlyZone && zoneLabels(onlyZone)) };
    return {
        ...Object.fromEntries(autoscalerGroupTags(cluster)),
        ...Object.fromEntries(
            Object.entries(all).map(([key, value]) => [`${domain}/node-template/label/${key}`, value]),
        ),
        ...Object.fromEntries(
            taints.map(({ key, value, effect }) => [`${domain}/node-template/taint/${key}`, `${value}:${effect}`]),
        ),
    };
}

/**
 * Labels that nodes get from the cloud controller and the EBS CSI driver: by them the autoscaler finds a group for a pod
 * whose volume is in a zone.
 */
function zoneLabels(zone: string): Record<string, string> {
    return { "topology.kubernetes.io/zone": zone, "topology.ebs.csi.aws.com/zone": zone };
}

/**
 * Pools that scale over several zones next to volumes, which are in one zone each: a group chooses the zone of its next
 * instance itself, so the autoscaler may never launch one where a pod's volume is.
 *
 * Source: cluster-autoscaler's FAQ; "Cluster Autoscaler" of the EKS best practices guide.
 */
export function zoneWarnings({ autoscaler, csiDriver, zones, pools }: Zoned): string[] {
    if (!autoscaler || !csiDriver) return [];
    return Object.entries(pools).flatMap(([name, { scaling, zones: own = zones }]) =>
        scaling && own.length > 1
            ? [
                  `pool ${name} scales over the zones ${own.join(", ")}, but a volume is in one zone: its pod may stay Pending; create a pool for each zone (workerPools[].zones), and set clusterAutoscaler: { balanceSimilarNodeGroups: true }`,
              ]
            : [],
    );
}

type Zoned = Pick<Aws, "autoscaler" | "csiDriver" | "zones" | "pools">;

/** Maximum number of tags of an Auto Scaling group. */
const mostTags = 50;

/** Tag keys have at most 128 characters, including the prefix that marks a label or taint for cluster-autoscaler. */
const longestKey = 82;

/** An autoscaled group has the labels and taints of its nodes in its tags. */
export function requireGroupTags(
    { name: cluster, workerPools }: Cluster,
    pools: Readonly<Record<string, AwsPool>>,
    /** Number of tags that every resource has. */
    own: number,
): void {
    for (const [index, pool] of workerPools.entries()) {
        const group = pools[pool.name];
        if (!group?.scaling) continue;
        const option = `workerPools[${index}]`;
        const refuseLong = (what: string, key: string) => {
            if (key.length > longestKey) {
                throw invalid(
                    `a key of ${option}.${what}`,
                    `at most ${longestKey} characters long with min and max`,
                    key,
                );
            }
        };
        for (const key of Object.keys(pool.labels)) refuseLong("labels", key);
        for (const [at, { key }] of pool.taints.entries()) {
            refuseLong("taints", key);
            if (pool.taints.findIndex((each) => each.key === key) !== at) {
                throw invalid(`${option}.taints[${at}]`, "unique by key with min and max", key);
            }
        }
        const tags = own + Object.keys(autoscalerTags(cluster, pool, group)).length;
        if (tags > mostTags) {
            const given = Object.keys(pool.labels).length + pool.taints.length;
            const legal = `at most ${given - (tags - mostTags)} with min and max, because a group can have ${mostTags} tags`;
            throw invalid(`labels and taints of ${option}`, legal, given);
        }
    }
}
