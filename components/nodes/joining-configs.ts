import { bundleAgent } from "../../agents/bundle";
import { type Config, merge } from "../../ignition";
import type { JoiningCredentials, KeyPair } from "../cluster/credentials";
import type { Cluster, WorkerPool } from "../cluster/model";
import { placeholderToken } from "../control-plane/bootstrap-tokens";
import { bootConsole } from "./boot-console";
import { bootstrapReceiver } from "./bootstrap-receiver";
import { controllerConfig } from "./controller";
import type { NodeDownloads } from "./downloads";
import type { EtcdDisk } from "./etcd-disk";
import { workerConfig } from "./worker";

/** What the configs of a cloud's machines are made of: what they are told of the cluster, and nothing of themselves. */
export interface JoiningNodes {
    readonly cluster: Cluster;
    readonly downloads: NodeDownloads;
    /** IPv4 block in which each machine has just one address: clouds tell it when the machine is made. */
    readonly machineCidr: string;
}

/** The config of a controller, with a disk for etcd; the first one waits for what starts the cluster. */
export function joiningController(
    nodes: JoiningNodes,
    name: string,
    joining: JoiningCredentials,
    etcdDisk: EtcdDisk,
): Config {
    const { cluster } = nodes;
    const controller = controllerConfig(cluster, { ...options(nodes, joining, name), etcdDisk });
    // Snippets win over it.
    const own = merge(bootConsole(), controller);
    if (name !== cluster.controllers.names[0]) {
        return own;
    }
    const certificate = joining.receiver!;
    return merge(own, bootstrapReceiver(cluster, { certificate, agent: bundleAgent("bootstrap-receiver") }));
}

/** The config of a worker. @param name - @default what the cloud names it */
export function joiningWorker(
    nodes: JoiningNodes,
    pool: WorkerPool,
    joining: JoiningCredentials,
    name?: string,
): Config {
    const { cluster } = nodes;
    return merge(bootConsole(), workerConfig(cluster, pool, options(nodes, joining, name)));
}

function options({ machineCidr, downloads }: JoiningNodes, joining: JoiningCredentials, name?: string) {
    return {
        machine: { name, address: machineCidr },
        downloads,
        ca: joining.ca,
        bootstrapToken: joining.bootstrapToken,
    };
}

/** Credentials of the length of real ones, for what has to be known in preview. */
export function placeholderJoining(cluster: Cluster): JoiningCredentials {
    const pem = "x".repeat(1024);
    const ca = pem.repeat(cluster.keys.kubernetesCa.length);
    const receiver: KeyPair = { cert: pem, key: pem };
    return { ca, bootstrapToken: placeholderToken, receiver };
}
