import { type Config, merge, parse } from "../../ignition";
import type { MachineDownloads } from "../downloads";
import type { BootingMachine } from "../keys/credentials";
import { nodeLabels } from "../labels";
import type { Cluster, WorkerPool } from "../model";
import { clusterApiServer } from "../network/ports";
import type { RegistryCredentials } from "../options";
import { containerd } from "./container-runtime/containerd";
import { kubelet } from "./kubelet/unit";
import { proxyForServices } from "./proxy";
import { system } from "./system";

/** A worker gets only a CA, a token that expires, and an address. */
export interface WorkerOptions {
    readonly machine: BootingMachine;
    readonly downloads: MachineDownloads;
    readonly ca: string;
    readonly bootstrapToken: string;
    readonly registryCredentials?: RegistryCredentials;
}

export function workerConfig(cluster: Cluster, pool: WorkerPool, options: WorkerOptions): Config {
    const { machine, downloads } = options;
    return merge(
        system(cluster, machine, downloads.cniPlugins),
        containerd(cluster, downloads, options.registryCredentials),
        kubelet(cluster, {
            ...options,
            apiServer: clusterApiServer(cluster),
            labels: nodeLabels(pool.name, pool.labels),
            pool: pool.name,
        }),
        proxyForServices(cluster, downloads),
        ...pool.snippets.map(parse),
    );
}
