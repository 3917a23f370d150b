import type { Droplet } from "@pulumi/digitalocean/droplet";
import type * as pulumi from "@pulumi/pulumi";
import type { JoiningCredentials } from "../cluster/credentials";
import { createDroplet } from "./droplet";
import type { DigitalOceanNetwork } from "./network";
import { controllerNodeConfig, type NodeConfigs } from "./node-configs";

/** The controllers' droplets, the one on which the control plane starts first. */
export function createControllers(
    configs: NodeConfigs,
    network: DigitalOceanNetwork,
    joining: pulumi.Output<JoiningCredentials>,
    opts: pulumi.CustomResourceOptions,
): Record<string, Droplet> {
    const { cluster, digitalOcean } = configs;
    const create = (node: string) => {
        const config = joining.apply((credentials) => controllerNodeConfig(configs, node, credentials));
        return createDroplet(node, digitalOcean, network, { pool: "controller", config, isController: true }, opts);
    };
    return Object.fromEntries(cluster.controllers.names.map((node) => [node, create(node)]));
}
