import { Bucket } from "@pulumi/aws/s3/bucket";
import { BucketObjectv2 } from "@pulumi/aws/s3/bucketObjectv2";
import * as pulumi from "@pulumi/pulumi";
import { type Config, render } from "../../ignition";
import { closeBucket } from "./closed-bucket";
import { cloudInitConfig, cloudInitUserData } from "./cloud-init";
import type { Aws } from "./resolve";
import { type Tags, withoutDefaultTags } from "./tags";
import { configHash, userData } from "./user-data";

export interface ConfigStore {
    readonly bucket: Bucket;
    /** What has to be there before a config comes in. */
    readonly isClosed: readonly pulumi.Resource[];
}

/** A config in the store. */
export interface StoredConfig {
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

export interface StoredConfigArgs {
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
