import type { Input } from "@pulumi/pulumi";
import { invalid, mustNot, requireMatch } from "../../cluster/validate";
import { requireLate } from "../pulumi/late";
import { clusterTag, ownTag } from "./tags";

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
