import { type Config, merge } from "../../ignition";
import type { JoiningCredentials } from "../cluster/credentials";
import type { WorkerPool } from "../cluster/model";
import { awaitName } from "../nodes/await-name";
import { type JoiningNodes, joiningController, joiningWorker, placeholderJoining } from "../nodes/joining-configs";
import { etcdDisk } from "./etcd-disks";
import type { DigitalOcean } from "./resolve";
import { userData } from "./user-data";

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
