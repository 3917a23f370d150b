import { type JoiningNodes, joiningController, joiningWorker, placeholderJoining } from "../nodes/joining-configs";
import { etcdDisk } from "./etcd-disks";
import type { DigitalOcean } from "./resolve";
import { userData } from "./user-data";

export interface NodeConfigs extends JoiningNodes {
    readonly digitalOcean: DigitalOcean;
}

/** Throws, in preview, if any droplet's user-data would be too long: of that length are certificates and keys. */
export function checkUserData(configs: NodeConfigs): void {
    const { cluster, digitalOcean } = configs;
    const joining = placeholderJoining(cluster);
    const first = cluster.controllers.names[0]!;
    userData(first, digitalOcean.os, joiningController(configs, first, joining, etcdDisk(first)));
    for (const pool of cluster.workerPools) {
        const node = `${cluster.name}-${pool.name}-0`;
        userData(node, digitalOcean.os, joiningWorker(configs, pool, joining, node));
    }
}
