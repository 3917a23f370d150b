import { SpacesBucket } from "@pulumi/digitalocean/spacesBucket";
import { SpacesKey } from "@pulumi/digitalocean/spacesKey";
import * as pulumi from "@pulumi/pulumi";
import type { EtcdS3Options, EtcdSnapshotOptions, EtcdSnapshotSecrets } from "../../cluster/options";
import { invalid, requireMatch } from "../../cluster/validate";
import type { DigitalOceanSpaceOptions } from "./options";

/** A Space for snapshots after creation. */
interface MadeSpace {
    readonly urn: pulumi.Output<string>;
    readonly secrets: pulumi.Output<EtcdSnapshotSecrets>;
}

/**
 * Private Space for etcd snapshots, with a key that may only read and write it.
 *
 * It is deleted with the cluster, including its contents. The key is deleted first, so that nothing is uploaded
 * meanwhile.
 */
export function createSnapshotSpace(
    cluster: string,
    { name, region }: SnapshotSpace,
    opts: pulumi.CustomResourceOptions,
): MadeSpace {
    const resource = `${cluster}-snapshots`;
    const space = new SpacesBucket(resource, { name, region, acl: "private", forceDestroy: true }, opts);
    const key = new SpacesKey(
        resource,
        { name: resource, grants: [{ bucket: space.name, permission: "readwrite" }] },
        { ...opts, dependsOn: space, additionalSecretOutputs: ["secretKey"] },
    );
    const secrets = pulumi
        .all([key.accessKey, key.secretKey])
        .apply(([accessKeyId, secretAccessKey]) => ({ accessKeyId, secretAccessKey }));
    return { urn: space.bucketUrn, secrets: pulumi.secret(secrets) };
}

/** The bucket for etcd snapshots. */
export interface SnapshotSpace {
    readonly name: string;
    readonly region: string;
    /** @default as the generation of defaults says */
    readonly isEncrypted?: boolean;
}

/** Validates the options for a cluster in a region. Throws `snapshotSpace... must be <legal>, got <value>`. */
export function requireSnapshotSpace(
    { name, region, isEncrypted }: DigitalOceanSpaceOptions,
    clusterRegion: string,
    { s3 }: EtcdSnapshotOptions = {},
): SnapshotSpace {
    const legal = "3 to 63 lower-case letters, digits and dashes, without a dash at either end";
    requireMatch("snapshotSpace.name", /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, legal, name);
    if (region !== undefined)
        requireMatch("snapshotSpace.region", /^[a-z]{3}\d$/, "a region slug, such as fra1", region);
    if (s3 !== undefined) throw invalid("snapshotSpace", "omitted with etcdSnapshots.s3", name);
    return { name, region: region ?? clusterRegion, ...(isEncrypted !== undefined && { isEncrypted }) };
}

/** Store options of the Space for etcd's keeper. */
export function storeOf({ name, region, ...others }: SnapshotSpace): EtcdS3Options {
    // Requests are always signed for S3's default region.
    return { endpoint: `https://${region}.digitaloceanspaces.com`, bucket: name, ...others };
}
