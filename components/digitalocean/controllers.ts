import type { Droplet } from "@pulumi/digitalocean/droplet";
import type { Volume } from "@pulumi/digitalocean/volume";
import type * as pulumi from "@pulumi/pulumi";
import type { JoiningCredentials } from "../cluster/credentials";
import type { MachineTokens } from "../machine-tokens";
import type { SizeTurns } from "../machine-turns/hooks";
import { mustStay } from "../must-stay";
import { createDroplet, dropletBootsWith } from "./droplet";
import { createEtcdDisk } from "./etcd-disks";
import type { DigitalOceanNetwork } from "./network";
import { controllerNode, type NodeConfigs } from "./node-configs";

export interface Controllers {
    readonly droplets: Readonly<Record<string, Droplet>>;
    /** Of their etcd. */
    readonly volumes: readonly Volume[];
}

/** The controllers' droplets with their volumes of etcd, the one on which the control plane starts first. */
export function createControllers(
    configs: NodeConfigs,
    network: DigitalOceanNetwork,
    tokens: MachineTokens,
    turns: SizeTurns,
    opts: pulumi.CustomResourceOptions,
): Controllers {
    const { cluster, digitalOcean } = configs;
    const { names } = cluster.controllers;
    const volumes = Object.fromEntries(names.map((node) => [node, createEtcdDisk(node, digitalOcean, opts)]));
    const create = (node: string) => {
        const configOf = (joining: JoiningCredentials) => controllerNode(configs, node, joining);
        const bootsWith = (joining: JoiningCredentials) => dropletBootsWith(digitalOcean, configOf(joining));
        const config = tokens.joiningOf({ pool: "controller", node }, bootsWith).apply(configOf);
        const options = { pool: "controller", config, volume: volumes[node]!, turns };
        return createDroplet(node, digitalOcean, network, options, opts);
    };
    const droplets = Object.fromEntries(names.map((node) => [node, create(node)]));
    // A system that is there does not learn of another address.
    mustStay("hasIpv6", digitalOcean.hasIpv6, droplets[names[0]!]!.ipv6.apply(Boolean));
    return { droplets, volumes: Object.values(volumes) };
}
