import { SpacesBucket } from "@pulumi/digitalocean/spacesBucket";
import { SpacesKey } from "@pulumi/digitalocean/spacesKey";
import * as pulumi from "@pulumi/pulumi";
import type { EtcdSnapshotSecrets } from "../cluster/options";
import type { SnapshotSpace } from "./snapshot-space";

/** A Space of snapshots as it was made. */
export interface MadeSpace {
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
