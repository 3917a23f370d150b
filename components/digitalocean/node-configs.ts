import { Volume } from "@pulumi/digitalocean/volume";
import * as pulumi from "@pulumi/pulumi";
import type { JoiningCredentials } from "../../cluster/keys/credentials";
import { awaitName } from "../../cluster/machines/await-name";
import type { EtcdDisk } from "../../cluster/machines/etcd-disk";
import {
    type JoiningNodes,
    joiningController,
    joiningWorker,
    placeholderJoining,
} from "../../cluster/machines/joining-configs";
import { withoutPreflight } from "../../cluster/machines/preflight";
import type { WorkerPool } from "../../cluster/model";
import { paths } from "../../cluster/paths";
import { type Config, compressed, merge, render, toCloudInit, withoutComments } from "../../ignition";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";

export interface NodeConfigs extends JoiningNodes {
    readonly digitalOcean: DigitalOcean;
}

/** Config of a controller's droplet. */
export function controllerNode(configs: NodeConfigs, node: string, joining: JoiningCredentials): Config {
    return merge(joiningController(configs, node, joining, etcdDisk(node)), awaitName(configs.cluster));
}

/** Config of a worker's droplet. */
export function workerNode(configs: NodeConfigs, pool: WorkerPool, node: string, joining: JoiningCredentials): Config {
    return merge(joiningWorker(configs, pool, joining, node), awaitName(configs.cluster));
}

/**
 * Throws, at preview, if the user-data of a droplet would be too long. Placeholders have the length of real
 * certificates and keys.
 */
export function checkUserData(configs: NodeConfigs): void {
    const { cluster, digitalOcean } = configs;
    const joining = placeholderJoining(cluster);
    const first = cluster.controllers.names[0]!;
    userData(first, digitalOcean.os, controllerNode(configs, first, joining));
    for (const pool of cluster.workerPools) {
        const node = `${cluster.name}-${pool.name}-0`;
        userData(node, digitalOcean.os, workerNode(configs, pool, node, joining));
    }
}

/** DigitalOcean's limit for user-data. */
const maxBytes = 64 * 1024;

/**
 * A config in the image's format, with compressed files and without comments in units and our scripts if it would be too
 * long otherwise: that of a droplet which exists stays as it is. If that does not suffice, without its preflight. Throws if it is too long for DigitalOcean even so.
 */
export function userData(node: string, os: DigitalOcean["os"], config: Config): string {
    const rendered = os === "cloud-init" ? toCloudInit : render;
    const plain = rendered(config);
    if (Buffer.byteLength(plain) <= maxBytes) {
        return plain;
    }
    const short = compressed(withoutComments(config, paths.bin));
    const whole = rendered(short);
    const text = Buffer.byteLength(whole) <= maxBytes ? whole : rendered(withoutPreflight(short));
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) {
        throw new Error(
            `the user-data of ${node}, including snippets, must be at most ${maxBytes} bytes when its files are compressed (got ${bytes})`,
        );
    }
    return text;
}

/** A controller's etcd volume: it is kept when the droplet is replaced, and deleted with the controller. */
export function createEtcdDisk(
    node: string,
    { region, etcdDiskSize, tags }: DigitalOcean,
    { names }: DigitalOceanNetwork,
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
        pulumi.mergeOptions(
            { ...opts, deleteBeforeReplace: true, ignoreChanges: ["region", "description"] },
            names.ofVolume(node, name),
        ),
    );
}

/** How a droplet, even a replaced one, finds the volume. */
function etcdDisk(node: string): EtcdDisk {
    return { device: `/dev/disk/by-id/scsi-0DO_Volume_${volumeName(node)}` };
}

function volumeName(node: string): string {
    return `${node}-etcd`;
}
