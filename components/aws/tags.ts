import type { Cluster } from "../cluster/model";
import type { Aws } from "./resolve";

/** Tells a resource's name from its other tags: `(name) => tags`. */
export type Tags = (name: string) => Record<string, string>;

/** The tags of everything that the cluster has: what it is, whose it is, and what its owner wants. */
export function clusterTags({ name: cluster }: Cluster, { tags }: Aws): Tags {
    return (name) => ({
        ...tags,
        Name: name,
        "tradewind.dev/cluster": cluster,
        [`kubernetes.io/cluster/${cluster}`]: "owned",
    });
}
