import type { JoiningCredentials } from "../../cluster/keys/credentials";
import { awaitName } from "../../cluster/machines/await-name";
import {
    type JoiningNodes,
    joiningController,
    joiningWorker,
    placeholderJoining,
} from "../../cluster/machines/joining-configs";
import type { WorkerPool } from "../../cluster/model";
import { type Config, merge, render, toCloudInit } from "../../ignition";
import { etcdDisk } from "./etcd-disks";
import type { DigitalOcean } from "./resolve";

export interface NodeConfigs extends JoiningNodes {
    readonly digitalOcean: DigitalOcean;
}

/** The config of a controller's droplet. */
export function controllerNode(configs: NodeConfigs, node: string, joining: JoiningCredentials): Config {
    return merge(joiningController(configs, node, joining, etcdDisk(node)), awaitName(configs.cluster));
}

/** The config of a worker's droplet. */
export function workerNode(configs: NodeConfigs, pool: WorkerPool, node: string, joining: JoiningCredentials): Config {
    return merge(joiningWorker(configs, pool, joining, node), awaitName(configs.cluster));
}

/** Throws, in preview, if any droplet's user-data would be too long: of that length are certificates and keys. */
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

/** Most bytes of user-data that DigitalOcean takes. */
const maxBytes = 64 * 1024;

/** A config in the form that the image reads. Throws if DigitalOcean would not take it. */
export function userData(node: string, os: DigitalOcean["os"], config: Config): string {
    const text = os === "cloud-init" ? toCloudInit(config) : render(config);
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) {
        throw new Error(
            `the user-data of ${node}, its snippets among it, must be at most ${maxBytes} bytes, got ${bytes}`,
        );
    }
    return text;
}
