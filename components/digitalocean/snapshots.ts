import { SpacesBucket } from "@pulumi/digitalocean/spacesBucket";
import { SpacesKey } from "@pulumi/digitalocean/spacesKey";
import * as pulumi from "@pulumi/pulumi";
import type { EtcdS3Options, EtcdSnapshotOptions, EtcdSnapshotSecrets } from "../../cluster/options";
import { conflictsWith, requireMatch } from "../../cluster/validate";
import { retainedSnapshots } from "../retained-snapshots";
import type { DigitalOceanSpaceOptions } from "./options";

/** A Space for snapshots after creation. */
interface CreatedSpace {
    readonly urn: pulumi.Output<string>;
    readonly secrets: pulumi.Output<EtcdSnapshotSecrets>;
}

/**
 * Private Space for etcd snapshots, with a key that may only read and write it.
 *
 * It outlives the cluster, unless it is not `retained`: then it is deleted with it, including its contents. The key is
 * deleted first, so that nothing is uploaded meanwhile.
 */
export function createSnapshotSpace(
    cluster: string,
    { name, region, retained }: SnapshotSpace,
    isNew: pulumi.CustomResourceOptions,
    opts: pulumi.CustomResourceOptions,
): CreatedSpace {
    const resource = `${cluster}-snapshots`;
    const space = new SpacesBucket(
        resource,
        { name, region, acl: "private", forceDestroy: !retained },
        pulumi.mergeOptions({ ...opts, retainOnDelete: retained }, isNew),
    );
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

/** Where snapshots are that outlive the cluster. */
export function retainedSpace({ name, region, retained }: SnapshotSpace): Record<string, string> | undefined {
    if (!retained) return undefined;
    const remove = `aws s3 rb --force s3://${name} --endpoint-url https://${region}.digitaloceanspaces.com`;
    return retainedSnapshots(name, remove);
}

/** The bucket for etcd snapshots. */
export interface SnapshotSpace {
    readonly name: string;
    readonly region: string;
    readonly retained: boolean;
    /** @default true */
    readonly isEncrypted?: boolean;
}

/** Validates the options for a cluster in a region. Throws `snapshotSpace... must be <legal> (got <value>)`. */
export function requireSnapshotSpace(
    { name, region, retained = true, isEncrypted }: DigitalOceanSpaceOptions,
    clusterRegion: string,
    { s3 }: EtcdSnapshotOptions = {},
): SnapshotSpace {
    const legal = "3 to 63 lower-case letters, digits and dashes, without a dash at either end";
    requireMatch("snapshotSpace.name", /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, legal, name);
    if (region !== undefined)
        requireMatch("snapshotSpace.region", /^[a-z]{3}\d$/, "a region slug, such as fra1", region);
    if (s3 !== undefined) throw conflictsWith("snapshotSpace", "etcdSnapshots.s3", name);
    return { name, region: region ?? clusterRegion, retained, ...(isEncrypted !== undefined && { isEncrypted }) };
}

/** Store options of the Space for etcd's keeper. */
export function storeOf({ name, region, retained: _, ...others }: SnapshotSpace): EtcdS3Options {
    // Requests are always signed for S3's default region.
    return { endpoint: `https://${region}.digitaloceanspaces.com`, bucket: name, ...others };
}
