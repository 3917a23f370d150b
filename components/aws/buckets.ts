import { Bucket } from "@pulumi/aws/s3/bucket";
import { BucketObjectv2 } from "@pulumi/aws/s3/bucketObjectv2";
import { BucketPublicAccessBlock } from "@pulumi/aws/s3/bucketPublicAccessBlock";
import { BucketServerSideEncryptionConfiguration } from "@pulumi/aws/s3/bucketServerSideEncryptionConfiguration";
import * as pulumi from "@pulumi/pulumi";
import { serviceUrl } from "../../clients/aws/query";
import type { EtcdS3 } from "../../cluster/model";
import type { EtcdS3Options, EtcdSnapshotOptions } from "../../cluster/options";
import { invalid, requireMatch } from "../../cluster/validate";
import { type Config, render } from "../../ignition";
import type { Allowance } from "./iam/policy";
import { cloudInitConfig, cloudInitUserData, configHash, userData } from "./machines/user-data";
import type { Aws } from "./model";
import type { AwsSnapshotBucketOptions } from "./options";
import { type Tags, withoutDefaultTags } from "./tags";

export interface ConfigStore {
    readonly bucket: Bucket;
    /** What has to be there before a config comes in. */
    readonly isClosed: readonly pulumi.Resource[];
}

/** A config in the store. */
interface StoredConfig {
    readonly object: BucketObjectv2;
    readonly userData: pulumi.Output<string>;
}

/** An encrypted bucket that is closed to the public: nodes' configs lie there, each read by its pool's role alone. */
export function createConfigStore(name: string, tags: Tags, opts: pulumi.CustomResourceOptions): ConfigStore {
    const resource = `${name}-configs`;
    const bucket = new Bucket(resource, { forceDestroy: true, tags: tags(resource) }, opts);
    return { bucket, isClosed: closeBucket(resource, bucket, opts) };
}

/** The folder in the bucket that a pool's role may read. */
export function poolFolder(pool: string): string {
    return `nodes/${pool}`;
}

interface StoredConfigArgs {
    readonly aws: Pick<Aws, "os" | "region">;
    readonly pool: string;
    readonly config: pulumi.Output<Config>;
    /** It stays as it was first made: who points to it never points elsewhere. @default false */
    readonly isPinned?: boolean;
    readonly tags: Tags;
}

/** Puts a config in the store. Another config is another object, which replaces the one before. */
export function storeConfig(
    name: string,
    { bucket, isClosed }: ConfigStore,
    { aws, pool, config, isPinned = false, tags }: StoredConfigArgs,
    opts: pulumi.CustomResourceOptions,
): StoredConfig {
    const hasIgnition = aws.os === "ignition";
    const stored = config.apply((each) => (hasIgnition ? { text: render(each), objects: [] } : cloudInitConfig(each)));
    const { text } = stored;
    // A hash of 512 bits tells nothing of the keys in it.
    const hash = pulumi.unsecret(text.apply(configHash));
    const key = hash.apply(
        (digits) => `${poolFolder(pool)}/${name}-${digits.slice(0, 16)}.${hasIgnition ? "ign" : "yaml"}`,
    );
    const object = new BucketObjectv2(
        `${name}-config`,
        {
            bucket: bucket.id,
            key,
            content: pulumi.secret(text),
            contentType: hasIgnition ? "application/vnd.coreos.ignition+json" : "text/cloud-config",
            serverSideEncryption: "AES256",
            overrideProvider: withoutDefaultTags,
            tags: tags(`${name}-config`),
        },
        { ...opts, dependsOn: [...isClosed], ignoreChanges: isPinned ? ["key", "content"] : [] },
    );
    // Where something lies is no secret.
    const objects = pulumi.unsecret(stored.objects);
    // Of what is stored, which stays as it was first made while today's config changes.
    const digest = pulumi.unsecret(object.content.apply((stored = "") => configHash(stored)));
    const pointer = pulumi.all([bucket.id, object.key, digest, objects] as const).apply(([id, at, digits, others]) => {
        const to = { bucket: id, key: at, hash: digits };
        return hasIgnition ? userData(to) : cloudInitUserData(to, others, aws.region);
    });
    return { object, userData: pointer };
}

/** Has a bucket encrypt what comes in, and closes it to the public: what has to be there before that. */
function closeBucket(resource: string, bucket: Bucket, opts: pulumi.CustomResourceOptions): pulumi.Resource[] {
    const encryption = { applyServerSideEncryptionByDefault: { sseAlgorithm: "AES256" } };
    return [
        new BucketServerSideEncryptionConfiguration(resource, { bucket: bucket.id, rules: [encryption] }, opts),
        new BucketPublicAccessBlock(
            resource,
            {
                bucket: bucket.id,
                blockPublicAcls: true,
                blockPublicPolicy: true,
                ignorePublicAcls: true,
                restrictPublicBuckets: true,
            },
            opts,
        ),
    ];
}

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
