import type { Droplet } from "@pulumi/digitalocean/droplet";
import type * as pulumi from "@pulumi/pulumi";
import type { JoiningCredentials } from "../cluster/credentials";
import { joiningController } from "../nodes/joining-configs";
import { createDroplet } from "./droplet";
import type { DigitalOceanNetwork } from "./network";
import type { NodeConfigs } from "./node-configs";

/** The controllers' droplets, the one on which the control plane starts first. */
export function createControllers(
    configs: NodeConfigs,
    network: DigitalOceanNetwork,
    joining: pulumi.Output<JoiningCredentials>,
    opts: pulumi.CustomResourceOptions,
): Record<string, Droplet> {
    const { cluster, digitalOcean } = configs;
    const create = (node: string) => {
        const config = joining.apply((credentials) => joiningController(configs, node, credentials));
        return createDroplet(node, digitalOcean, network, { pool: "controller", config, isController: true }, opts);
    };
    return Object.fromEntries(cluster.controllers.names.map((node) => [node, create(node)]));
}
