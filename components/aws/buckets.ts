import { Bucket } from "@pulumi/aws/s3/bucket";
import { BucketObjectv2 } from "@pulumi/aws/s3/bucketObjectv2";
import { BucketPublicAccessBlock } from "@pulumi/aws/s3/bucketPublicAccessBlock";
import { BucketServerSideEncryptionConfiguration } from "@pulumi/aws/s3/bucketServerSideEncryptionConfiguration";
import * as pulumi from "@pulumi/pulumi";
import { serviceUrl } from "../../clients/aws/query";
import type { EtcdS3, HttpProxy } from "../../cluster/model";
import type { EtcdS3Options, EtcdSnapshotOptions } from "../../cluster/options";
import { conflictsWith, requireMatch } from "../../cluster/validate";
import { type Config, render } from "../../ignition";
import type { AwsAccount } from "./account";
import { type Allowance, throughService } from "./iam/policy";
import { cloudInitConfig, cloudInitUserData, configHash, userData } from "./machines/user-data";
import type { Aws } from "./model";
import type { AwsSnapshotBucketOptions } from "./options";
import { type Tags, withoutDefaultTags } from "./tags";

export interface ConfigStore {
    readonly bucket: Bucket;
    /** Resources that must exist before a config is stored. */
    readonly isClosed: readonly pulumi.Resource[];
}

/** A config in the bucket. */
interface StoredConfig {
    readonly object: BucketObjectv2;
    readonly userData: pulumi.Output<string>;
}

/** Encrypted private bucket with the nodes' configs, each readable by its pool's role only. */
export function createConfigStore(name: string, tags: Tags, opts: pulumi.CustomResourceOptions): ConfigStore {
    const resource = `${name}-configs`;
    const bucket = new Bucket(resource, { forceDestroy: true, tags: tags(resource) }, opts);
    return { bucket, isClosed: closeBucket(resource, bucket, opts) };
}

/** The folder that a pool's role may read. */
export function poolFolder(pool: string): string {
    return `nodes/${pool}`;
}

interface StoredConfigArgs {
    readonly aws: Pick<Aws, "os" | "region">;
    readonly pool: string;
    readonly config: pulumi.Output<Config>;
    /** The object never changes, so that references to it stay valid. @default false */
    readonly isPinned?: boolean;
    /** By which the instance fetches it. @default - none */
    readonly proxy?: HttpProxy;
    readonly tags: Tags;
}

/** Stores a config. Another config is a new object, which replaces the previous one. */
export function storeConfig(
    name: string,
    { bucket, isClosed }: ConfigStore,
    { aws, pool, config, isPinned = false, proxy, tags }: StoredConfigArgs,
    opts: pulumi.CustomResourceOptions,
): StoredConfig {
    const hasIgnition = aws.os === "ignition";
    const stored = config.apply((each) => (hasIgnition ? { text: render(each), objects: [] } : cloudInitConfig(each)));
    const { text } = stored;
    // A hash of 512 bits reveals nothing about the keys in the config.
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
    // Locations are not secret.
    const objects = pulumi.unsecret(stored.objects);
    // Of the stored config, which does not change when the current config does.
    const digest = pulumi.unsecret(object.content.apply((stored = "") => configHash(stored)));
    const pointer = pulumi.all([bucket.id, object.key, digest, objects] as const).apply(([id, at, digits, others]) => {
        const to = { bucket: id, key: at, hash: digits };
        return hasIgnition ? userData(to, proxy) : cloudInitUserData(to, others, aws.region, proxy);
    });
    return { object, userData: pointer };
}

/** Encrypts a bucket and blocks public access: must be done before anything is stored. @param key - @default S3's own */
function closeBucket(
    resource: string,
    bucket: Bucket,
    opts: pulumi.CustomResourceOptions,
    key?: pulumi.Input<string>,
): pulumi.Resource[] {
    const encryption = key
        ? {
              applyServerSideEncryptionByDefault: { sseAlgorithm: "aws:kms", kmsMasterKeyId: key },
              // One call to KMS for many objects.
              bucketKeyEnabled: true,
          }
        : { applyServerSideEncryptionByDefault: { sseAlgorithm: "AES256" } };
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

/** Validates the options of a bucket created by the stack. Throws `snapshotBucket... must be <legal> (got <value>)`. */
export function requireSnapshotBucket(
    { name, isEncrypted }: AwsSnapshotBucketOptions,
    region: string,
    { s3 }: EtcdSnapshotOptions = {},
): EtcdS3Options {
    const legal = "3 to 63 lower-case letters, digits and dashes, without a dash at either end";
    requireMatch("snapshotBucket.name", /^(?!xn--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, legal, name);
    if (s3 !== undefined) throw conflictsWith("snapshotBucket", "etcdSnapshots.s3", name);
    const store = { endpoint: serviceUrl("s3", region), bucket: name, region, instanceRole: true };
    return { ...store, ...(isEncrypted !== undefined && { isEncrypted }) };
}

interface SnapshotBucketArgs extends Pick<EtcdS3, "bucket"> {
    readonly retained: boolean;
    /** ARN of the key that encrypts it. @default S3's own */
    readonly key?: pulumi.Input<string>;
    readonly account: Pick<AwsAccount, "ofBucket">;
    readonly tags: Tags;
}

/**
 * Encrypted private bucket for etcd snapshots. It outlives the cluster, unless it is not `retained`: then it is deleted
 * with it, including its contents.
 */
export function createSnapshotBucket(
    cluster: string,
    { bucket: name, retained, key, account, tags }: SnapshotBucketArgs,
    opts: pulumi.CustomResourceOptions,
): Bucket {
    const resource = `${cluster}-snapshots`;
    const kept = { ...opts, retainOnDelete: retained };
    const bucket = new Bucket(
        resource,
        { bucket: name, forceDestroy: !retained, tags: tags(resource) },
        pulumi.mergeOptions(kept, account.ofBucket("snapshotBucket.name", name)),
    );
    closeBucket(resource, bucket, kept, key);
    return bucket;
}

/** Permissions of etcd's keeper on the cluster's snapshots in a bucket, and on nothing else there. */
export function snapshotPermissions(arn: string, { prefix }: Pick<EtcdS3, "prefix">): Allowance[] {
    return [
        { actions: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], resources: [`${arn}/${prefix}/*`] },
        {
            actions: ["s3:ListBucket"],
            resources: [arn],
            condition: { StringLike: { "s3:prefix": `${prefix}/*` } },
        },
    ];
}

/** Permissions of etcd's keeper on the key of the bucket. */
export function snapshotKeyPermissions(key: string, region: string): Allowance[] {
    const actions = ["kms:Decrypt", "kms:GenerateDataKey"];
    return [{ actions, resources: [key], condition: throughService("s3", region) }];
}
