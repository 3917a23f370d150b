import { Bucket } from "@pulumi/aws/s3/bucket";
import type * as pulumi from "@pulumi/pulumi";
import { serviceUrl } from "../../agents/common/aws-query";
import type { EtcdS3 } from "../cluster/model";
import type { EtcdS3Options, EtcdSnapshotOptions } from "../cluster/options";
import { invalid, requireMatch } from "../cluster/validate";
import { closeBucket } from "./closed-bucket";
import type { AwsSnapshotBucketOptions } from "./options";
import type { Allowance } from "./policy";
import type { Tags } from "./tags";

/** Validates the options of a bucket that the stack makes. Throws `snapshotBucket... must be <legal>, got <value>`. */
export function requireSnapshotBucket(
    { name }: AwsSnapshotBucketOptions,
    region: string,
    { s3 }: EtcdSnapshotOptions = {},
): EtcdS3Options {
    const legal = "3 to 63 lower-case letters, digits and dashes, none of these at either end";
    requireMatch("snapshotBucket.name", /^(?!xn--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, legal, name);
    if (s3 !== undefined) throw invalid("snapshotBucket", "left out with etcdSnapshots.s3", name);
    return { endpoint: serviceUrl("s3", region), bucket: name, region, isByInstanceRole: true };
}

/** An encrypted bucket of etcd's snapshots that is closed to the public. It goes with the cluster, and all that is in it. */
export function createSnapshotBucket(
    cluster: string,
    { bucket: name }: Pick<EtcdS3, "bucket">,
    tags: Tags,
    opts: pulumi.CustomResourceOptions,
): Bucket {
    const resource = `${cluster}-snapshots`;
    const bucket = new Bucket(resource, { bucket: name, forceDestroy: true, tags: tags(resource) }, opts);
    closeBucket(resource, bucket, opts);
    return bucket;
}

/** What the keeper of etcd does with the cluster's snapshots in a bucket, and with nothing else there. */
export function snapshotRights(arn: string, { prefix }: Pick<EtcdS3, "prefix">): Allowance[] {
    return [
        { actions: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], resources: [`${arn}/${prefix}/*`] },
        {
            actions: ["s3:ListBucket"],
            resources: [arn],
            condition: { StringLike: { "s3:prefix": `${prefix}/*` } },
        },
    ];
}
