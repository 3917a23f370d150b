import { Volume } from "@pulumi/digitalocean/volume";
import type * as pulumi from "@pulumi/pulumi";
import type { EtcdDisk } from "../../cluster/machines/etcd-disk";
import type { DigitalOcean } from "./resolve";

/** The volume of a controller's etcd: it stays when the droplet is made anew, and goes with the controller. */
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
        // Nothing but its size and tags may change it. One that is lost makes room for its name first.
        { ...opts, deleteBeforeReplace: true, ignoreChanges: ["region", "description"] },
    );
}

/** How a droplet knows the volume, be it made anew. */
export function etcdDisk(node: string): EtcdDisk {
    return { device: `/dev/disk/by-id/scsi-0DO_Volume_${volumeName(node)}` };
}

function volumeName(node: string): string {
    return `${node}-etcd`;
}
