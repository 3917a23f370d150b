import type { Cluster } from "../../../cluster/model";
import { invalid } from "../../../cluster/validate";
import type { AwsPool } from "./pools";
import { autoscalerTags } from "./scaling";

/** Tags that an Auto Scaling group may have. */
const mostTags = 50;

/** The longest key of a tag is 128 characters, which begins with what tells cluster-autoscaler that it is a label or a taint. */
const longestKey = 82;

/** A group whose size something in the cluster decides has labels and taints of its nodes in its tags. */
export function requireGroupTags(
    { name: cluster, workerPools }: Cluster,
    pools: Readonly<Record<string, AwsPool>>,
    /** Those that everything has. */
    own: number,
): void {
    for (const [index, pool] of workerPools.entries()) {
        const group = pools[pool.name]!;
        if (!group.scaling) continue;
        const option = `workerPools[${index}]`;
        const refuseLong = (what: string, key: string) => {
            if (key.length > longestKey) {
                throw invalid(`a key of ${option}.${what}`, `${longestKey} characters at most with min and max`, key);
            }
        };
        for (const key of Object.keys(pool.labels)) refuseLong("labels", key);
        for (const [at, { key }] of pool.taints.entries()) {
            refuseLong("taints", key);
            if (pool.taints.findIndex((each) => each.key === key) !== at) {
                throw invalid(`${option}.taints[${at}]`, "of a key of its own with min and max", key);
            }
        }
        const tags = own + Object.keys(autoscalerTags(cluster, pool, group)).length;
        if (tags > mostTags) {
            const given = Object.keys(pool.labels).length + pool.taints.length;
            const legal = `${given - (tags - mostTags)} at most with min and max, as a group has ${mostTags} tags`;
            throw invalid(`labels and taints of ${option}`, legal, given);
        }
    }
}
