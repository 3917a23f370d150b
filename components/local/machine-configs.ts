import type * as pulumi from "@pulumi/pulumi";
import type { Config } from "../../ignition";
import type { JoiningCredentials } from "../cluster/credentials";
import type { Cluster } from "../cluster/model";
import type { NamedMachine } from "../machine-tokens";
import { controllerConfig } from "../nodes/controller";
import type { NodeDownloads } from "../nodes/downloads";
import { workerConfig } from "../nodes/worker";
import { machineOf } from "./machine-of";
import type { LocalNetwork } from "./network";

/** By node name: the config that each machine boots with, controllers first. */
export function machineConfigs(
    cluster: Cluster,
    network: LocalNetwork,
    downloads: NodeDownloads,
    joiningOf: (machine: NamedMachine) => pulumi.Output<JoiningCredentials>,
): Record<string, pulumi.Output<Config>> {
    const options = (node: string, { ca, bootstrapToken }: JoiningCredentials) => ({
        machine: machineOf(network, node),
        downloads,
        ca,
        bootstrapToken,
    });
    const controllers = cluster.controllers.names.map((node) => {
        const config = joiningOf({ pool: "controller", node }).apply((secrets) =>
            controllerConfig(cluster, options(node, secrets)),
        );
        return [node, config] as const;
    });
    const workers = cluster.workerPools.flatMap((pool) =>
        pool.nodes.map((node) => {
            const config = joiningOf({ pool: pool.name, node }).apply((secrets) =>
                workerConfig(cluster, pool, options(node, secrets)),
            );
            return [node, config] as const;
        }),
    );
    return Object.fromEntries([...controllers, ...workers]);
}
