import { Volume } from "@pulumi/digitalocean/volume";
import type * as pulumi from "@pulumi/pulumi";
import type { EtcdDisk } from "../../cluster/machines/etcd-disk";
import type { DigitalOcean } from "./resolve";

/** A controller's etcd volume: it is kept when the droplet is replaced, and deleted with the controller. */
export function createEtcdDisk(
    node: string,
    { region, etcdDiskSize, tags }: DigitalOcean,
    opts: pulumi.CustomResourceOptions,
): Volume {
    const name = volumeName(node);
    return new Volume(
        name,
        {
            name,
            region,
            size: etcdDiskSize,
            description: `etcd of ${node}`,
            ...(tags.length > 0 && { tags: [...tags] }),
        },
        // Only its size and tags may change. A lost volume must free its name first.
        { ...opts, deleteBeforeReplace: true, ignoreChanges: ["region", "description"] },
    );
}

/** How a droplet, even a replaced one, finds the volume. */
export function etcdDisk(node: string): EtcdDisk {
    return { device: `/dev/disk/by-id/scsi-0DO_Volume_${volumeName(node)}` };
}

function volumeName(node: string): string {
    return `${node}-etcd`;
}
