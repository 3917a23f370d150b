import { type Config, merge, parse } from "../../ignition";
import type { BootingMachine } from "../cluster/credentials";
import type { Cluster } from "../cluster/model";
import { clusterApiServer } from "./api-server";
import { checkpoints } from "./checkpoints";
import { containerd } from "./containerd";
import type { NodeDownloads } from "./downloads";
import { type EtcdDisk, etcdDisk } from "./etcd-disk";
import { kubelet } from "./kubelet";
import { poolLabel } from "./pool-label";
import { system } from "./system";

/** What a controller is given: no more than a worker. Control-plane secrets reach it through the API. */
export interface ControllerOptions {
    readonly machine: BootingMachine;
    readonly downloads: NodeDownloads;
    readonly ca: string;
    readonly bootstrapToken: string;
    /** Where etcd's data lie. @default a directory of the machine's own disk */
    readonly etcdDisk?: EtcdDisk;
}

export function controllerConfig(cluster: Cluster, options: ControllerOptions): Config {
    const { machine, downloads } = options;
    const { labels, snippets } = cluster.controllers;
    return merge(
        system(cluster, machine, downloads.cniPlugins),
        containerd(cluster, downloads),
        kubelet(cluster, {
            ...options,
            // It has no apiserver of its own until its node joined and its etcd member was admitted.
            apiServer: clusterApiServer(cluster),
            labels: { ...labels, ...balancing(cluster), [poolLabel]: "controller" },
            pool: "controller",
        }),
        checkpoints(),
        ...(options.etcdDisk ? [etcdDisk(options.etcdDisk)] : []),
        ...snippets.map(parse),
    );
}

/** A cloud's load balancers of Services lead to no controller that takes no ordinary pods. */
function balancing({ cloudProvider, controllers }: Cluster): Record<string, string> {
    const isLeftOut = cloudProvider !== undefined && !controllers.isSchedulable;
    return isLeftOut ? { "node.kubernetes.io/exclude-from-external-load-balancers": "" } : {};
}
