import { type Config, merge, parse } from "../../ignition";
import type { BootingMachine } from "../cluster/credentials";
import type { Cluster, WorkerPool } from "../cluster/model";
import { clusterApiServer } from "./api-server";
import { containerd } from "./containerd";
import type { NodeDownloads } from "./downloads";
import { kubelet } from "./kubelet";
import { poolLabel } from "./pool-label";
import { system } from "./system";

/** What a worker is given: no more than a CA, a token that expires, and an address. */
export interface WorkerOptions {
    readonly machine: BootingMachine;
    readonly downloads: NodeDownloads;
    readonly ca: string;
    readonly bootstrapToken: string;
}

export function workerConfig(cluster: Cluster, pool: WorkerPool, options: WorkerOptions): Config {
    const { machine, downloads } = options;
    return merge(
        system(cluster, machine, downloads.cniPlugins),
        containerd(cluster, downloads),
        kubelet(cluster, {
            ...options,
            apiServer: clusterApiServer(cluster),
            labels: { ...pool.labels, [poolLabel]: pool.name },
            pool: pool.name,
        }),
        ...pool.snippets.map(parse),
    );
}
