import { bundleAgent } from "../../agents/bundle";
import { type Config, merge } from "../../ignition";
import type { JoiningCredentials, KeyPair } from "../cluster/credentials";
import type { Cluster, WorkerPool } from "../cluster/model";
import { bootstrapReceiver } from "../nodes/bootstrap-receiver";
import { controllerConfig } from "../nodes/controller";
import type { NodeDownloads } from "../nodes/downloads";
import { workerConfig } from "../nodes/worker";
import type { DigitalOcean } from "./resolve";
import { userData } from "./user-data";

/** What a droplet's config is made of: what it is told of the cluster, and nothing of itself but its name. */
export interface NodeConfigs {
    readonly cluster: Cluster;
    readonly digitalOcean: DigitalOcean;
    readonly downloads: NodeDownloads;
}

/** The config of a controller; the first one waits for what starts the cluster. */
export function controllerNodeConfig(configs: NodeConfigs, node: string, joining: JoiningCredentials): Config {
    const { cluster } = configs;
    const own = controllerConfig(cluster, nodeOptions(configs, node, "controller", joining));
    if (node !== cluster.controllers.names[0]) {
        return own;
    }
    const certificate = joining.receiver!;
    return merge(own, bootstrapReceiver(cluster, { certificate, agent: bundleAgent("bootstrap-receiver") }));
}

export function workerNodeConfig(
    configs: NodeConfigs,
    pool: WorkerPool,
    node: string,
    joining: JoiningCredentials,
): Config {
    return workerConfig(configs.cluster, pool, nodeOptions(configs, node, pool.name, joining));
}

/** DigitalOcean tells a droplet's address when it is made: the kubelet finds it in the VPC's block. */
function nodeOptions(
    { digitalOcean, downloads }: NodeConfigs,
    node: string,
    pool: string,
    joining: JoiningCredentials,
) {
    return {
        machine: { name: node, address: digitalOcean.vpcCidr.text },
        downloads,
        ca: joining.ca,
        bootstrapToken: joining.bootstrapTokens[pool]!,
    };
}

/** Throws, in preview, if any droplet's user-data would be too long: of that length are certificates and keys. */
export function checkUserData(configs: NodeConfigs): void {
    const { cluster, digitalOcean } = configs;
    const pem = "x".repeat(1024);
    const receiver: KeyPair = { cert: pem, key: pem };
    const pools = ["controller", ...cluster.workerPools.map(({ name }) => name)];
    const bootstrapTokens = Object.fromEntries(pools.map((pool) => [pool, "x".repeat(23)]));
    const joining: JoiningCredentials = { ca: pem, bootstrapTokens, receiver };
    const first = cluster.controllers.names[0]!;
    userData(first, digitalOcean.os, controllerNodeConfig(configs, first, joining));
    for (const pool of cluster.workerPools) {
        const node = `${cluster.name}-${pool.name}-0`;
        userData(node, digitalOcean.os, workerNodeConfig(configs, pool, node, joining));
    }
}
