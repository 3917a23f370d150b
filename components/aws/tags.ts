import type { Input } from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import type { Aws } from "./model";

/** Adds a resource's name to the other tags: `(name) => tags`. */
export type Tags = (name: string) => Record<string, Input<string>>;

/** Set on everything that the stack creates, and on nothing that controllers in the cluster create. */
export const ownTag = "tradewind.dev/cluster";

/** Tags of all resources of a cluster: name, cluster, and the user's own. */
export function clusterTags({ name: cluster }: Cluster, { tags }: Pick<Aws, "tags">): Tags {
    return (name) => ({
        ...tags,
        Name: name,
        [ownTag]: cluster,
        [clusterTag(cluster)]: "owned",
    });
}

/**
 * An S3 object allows ten tags. The provider's default tags would exceed that together with the cluster's and `tags`.
 */
export const withoutDefaultTags = { defaultTags: { tags: {} } };

/** The tag that cloud controllers identify the cluster's resources by. */
export function clusterTag(cluster: string): string {
    return `kubernetes.io/cluster/${cluster}`;
}

/** For resources that cloud controllers must leave alone. */
export function withoutClusterTag(
    cluster: string,
    tags: Readonly<Record<string, Input<string>>>,
): Record<string, Input<string>> {
    return Object.fromEntries(Object.entries(tags).filter(([key]) => key !== clusterTag(cluster)));
}
