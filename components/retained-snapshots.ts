import { local } from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";

/**
 * Says where a cluster's snapshots still are once the cluster, or the option, is deleted: Pulumi itself only forgets what
 * it retains.
 *
 * @param remove - shell command that deletes the bucket with its contents
 */
export function reportRetained(
    cluster: string,
    bucket: string,
    remove: string,
    opts: pulumi.CustomResourceOptions,
): void {
    const text = `${bucket} is kept, with the etcd snapshots of ${cluster}. To delete it: ${remove}`;
    new local.Command(`${cluster}-retained-snapshots`, { create: "true", delete: `echo '${text}'` }, opts);
}
