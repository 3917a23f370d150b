import { type Config, merge, parse } from "../../ignition";
import type { MachineDownloads } from "../downloads";
import type { BootingMachine } from "../keys/credentials";
import { nodeLabels } from "../labels";
import { type Cluster, isCandidatePool, type WorkerPool } from "../model";
import { clusterApiServer } from "../network/ports";
import type { RegistryCredentials } from "../options";
import { containerd } from "./container-runtime/containerd";
import { checkpoints, hostDirectories } from "./controller";
import { kubelet } from "./kubelet/unit";
import { preflight } from "./preflight";
import { proxyForServices } from "./proxy";
import { stepAside } from "./step-aside";
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
    const isCandidate = isCandidatePool(cluster, pool);
    const hasMember = isCandidate || pool.name === cluster.controllers.arbiter?.name;
    return merge(
        system(cluster, machine, downloads.cniPlugins, hasMember),
        preflight(cluster, { ...options, isController: hasMember }),
        containerd(cluster, downloads, options.registryCredentials),
        kubelet(cluster, {
            ...options,
            apiServer: clusterApiServer(cluster),
            labels: nodeLabels(pool.name, pool.labels),
            pool: pool.name,
        }),
        // The rest of a controller's disk. Its secrets reach it through the API once it is promoted.
        ...(isCandidate ? [checkpoints(), hostDirectories(cluster), stepAside(cluster, machine.name!)] : []),
        proxyForServices(cluster, downloads),
        ...pool.snippets.map(parse),
    );
}
