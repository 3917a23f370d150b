import type { Cluster } from "../../cluster/model";
import type { Aws } from "./model";

/** Tells a resource's name from its other tags: `(name) => tags`. */
export type Tags = (name: string) => Record<string, string>;

/** On all that the stack makes, and on nothing that controllers in the cluster make. */
export const ownTag = "tradewind.dev/cluster";

/** The tags of everything that the cluster has: what it is, whose it is, and what its owner wants. */
export function clusterTags({ name: cluster }: Cluster, { tags }: Pick<Aws, "tags">): Tags {
    return (name) => ({
        ...tags,
        Name: name,
        [ownTag]: cluster,
        [clusterTag(cluster)]: "owned",
    });
}

/** An S3 object takes ten tags. The provider's own default tags come on top of the cluster's and of `tags`, and would not fit. */
export const withoutDefaultTags = { defaultTags: { tags: {} } };

/** The tag by which cloud controllers know what is of the cluster. */
export function clusterTag(cluster: string): string {
    return `kubernetes.io/cluster/${cluster}`;
}

/** What cloud controllers are to leave alone. */
export function withoutClusterTag(cluster: string, tags: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(tags).filter(([key]) => key !== clusterTag(cluster)));
}
