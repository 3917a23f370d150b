import type { Input } from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { invalid, mustNot, requireMatch } from "../../cluster/validate";
import { requireLate } from "../pulumi/late";
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

/** Tags that AWS accepts, and few enough to leave room for the cluster's own on an S3 object, which allows ten. */
export function requireTags(
    tags: Readonly<Record<string, Input<string>>>,
    cluster: string,
): Record<string, Input<string>> {
    const own = ["Name", ownTag, clusterTag(cluster)];
    if (Object.keys(tags).length > 7) throw invalid("tags", "at most seven", Object.keys(tags).length);
    for (const key of Object.keys(tags)) {
        requireMatch("a key of tags", /^(?!aws:)[\p{L}\p{N} _.:/=+@-]{1,128}$/u, "a tag key that AWS accepts", key);
        if (own.includes(key)) throw mustNot("a key of tags", `be one of ${own.join(", ")}, which the stack sets`, key);
    }
    const pattern = /^[\p{L}\p{N} _.:/=+@-]{0,256}$/u;
    const values = Object.entries(tags).map(([key, value]) => [
        key,
        requireLate(value, (known) => requireMatch(`tags.${key}`, pattern, "a tag value that AWS accepts", known)),
    ]);
    return Object.fromEntries(values);
}
