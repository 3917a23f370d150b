import type { Droplet } from "@pulumi/digitalocean/droplet";
import type * as pulumi from "@pulumi/pulumi";
import type { JoiningCredentials } from "../cluster/credentials";
import { joiningController } from "../nodes/joining-configs";
import { createDroplet } from "./droplet";
import { createEtcdDisk, etcdDisk } from "./etcd-disks";
import type { DigitalOceanNetwork } from "./network";
import type { NodeConfigs } from "./node-configs";

/** The controllers' droplets with their volumes of etcd, the one on which the control plane starts first. */
export function createControllers(
    configs: NodeConfigs,
    network: DigitalOceanNetwork,
    joining: pulumi.Output<JoiningCredentials>,
    opts: pulumi.CustomResourceOptions,
): Record<string, Droplet> {
    const { cluster, digitalOcean } = configs;
    const create = (node: string) => {
        const config = joining.apply((credentials) => joiningController(configs, node, credentials, etcdDisk(node)));
        const volume = createEtcdDisk(node, digitalOcean, opts);
        return createDroplet(node, digitalOcean, network, { pool: "controller", config, volume }, opts);
    };
    return Object.fromEntries(cluster.controllers.names.map((node) => [node, create(node)]));
}
