import type { Cluster } from "../../../cluster/model";
import { invalid } from "../../../cluster/validate";
import type { AwsPool } from "./pools";
import { autoscalerTags } from "./scaling";

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
        const group = pools[pool.name]!;
        if (!group.scaling) continue;
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
