import { SpacesBucket } from "@pulumi/digitalocean/spacesBucket";
import { SpacesKey } from "@pulumi/digitalocean/spacesKey";
import * as pulumi from "@pulumi/pulumi";
import type { EtcdS3Options, EtcdSnapshotOptions, EtcdSnapshotSecrets } from "../../cluster/options";
import { invalid, requireMatch } from "../../cluster/validate";
import type { DigitalOceanSpaceOptions } from "./options";

/** A Space of snapshots as it was made. */
interface MadeSpace {
    readonly urn: pulumi.Output<string>;
    readonly secrets: pulumi.Output<EtcdSnapshotSecrets>;
}

/**
 * The Space of etcd's snapshots, closed to the public, and a key that may read and write it and nothing else.
 *
 * It goes with the cluster, and all that is in it. The key goes before: nobody puts anything there meanwhile.
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

/** The bucket of etcd's snapshots. */
export interface SnapshotSpace {
    readonly name: string;
    readonly region: string;
}

/** Validates the options, of a cluster in a region. Throws `snapshotSpace... must be <legal>, got <value>`. */
export function requireSnapshotSpace(
    { name, region }: DigitalOceanSpaceOptions,
    clusterRegion: string,
    { s3 }: EtcdSnapshotOptions = {},
): SnapshotSpace {
    const legal = "3 to 63 lower-case letters, digits and dashes, none of these at either end";
    requireMatch("snapshotSpace.name", /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, legal, name);
    if (region !== undefined)
        requireMatch("snapshotSpace.region", /^[a-z]{3}\d$/, "a region's slug, such as fra1", region);
    if (s3 !== undefined) throw invalid("snapshotSpace", "left out with etcdSnapshots.s3", name);
    return { name, region: region ?? clusterRegion };
}

/** What etcd's keeper is told of it. */
export function storeOf({ name, region }: SnapshotSpace): EtcdS3Options {
    // Whatever the region, requests are signed for the one that S3 has by default.
    return { endpoint: `https://${region}.digitaloceanspaces.com`, bucket: name };
}
