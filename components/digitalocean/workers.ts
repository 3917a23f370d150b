import type { Droplet } from "@pulumi/digitalocean/droplet";
import type * as pulumi from "@pulumi/pulumi";
import type { JoiningCredentials } from "../cluster/credentials";
import type { WorkerPool } from "../cluster/model";
import type { MachineTokens } from "../machine-tokens";
import type { SizeTurns } from "../machine-turns/hooks";
import { createDroplet, dropletBootsWith } from "./droplet";
import type { DigitalOceanNetwork } from "./network";
import { type NodeConfigs, workerNode } from "./node-configs";

/** The droplets of every worker pool. */
export function createWorkers(
    configs: NodeConfigs,
    network: DigitalOceanNetwork,
    tokens: MachineTokens,
    turns: SizeTurns,
    opts: pulumi.CustomResourceOptions,
): Record<string, Droplet> {
    const { cluster, digitalOcean } = configs;
    const create = (pool: WorkerPool, node: string) => {
        const configOf = (joining: JoiningCredentials) => workerNode(configs, pool, node, joining);
        const bootsWith = (joining: JoiningCredentials) => dropletBootsWith(digitalOcean, configOf(joining));
        const config = tokens.joiningOf({ pool: pool.name, node }, bootsWith).apply(configOf);
        return createDroplet(node, digitalOcean, network, { pool: pool.name, config, turns }, opts);
    };
    return Object.fromEntries(
        cluster.workerPools.flatMap((pool) => pool.nodes.map((node) => [node, create(pool, node)] as const)),
    );
}
