import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { NodeDownloads } from "../../cluster/downloads";
import type { JoiningCredentials, Machine } from "../../cluster/keys/credentials";
import { controllerConfig } from "../../cluster/machines/controller";
import { joinTemplates } from "../../cluster/machines/join-template";
import { workerConfig } from "../../cluster/machines/worker";
import { type Cluster, otherPools } from "../../cluster/model";
import { type Config, render, toCloudInit } from "../../ignition";
import type { NamedMachine } from "../pki/machine-tokens";
import { type LocalNetwork, machineCommand } from "./network";
import { inZone } from "./zones";

interface LocalMachineOptions {
    readonly machine: Machine;
    readonly config: pulumi.Output<Config>;
    /** How the machine's OS is configured: `ignition` or `cloud-init`. */
    readonly os: string;
    /** Operating system that it imitates. @default none */
    readonly osLike?: string;
    readonly hooks: pulumi.ResourceHookBinding;
}

/**
 * A machine that boots with a config once.
 *
 * A changed config never replaces a running machine: replacement is explicit (`pulumi up --replace`). Pulumi records
 * the new config in an update that does nothing to the machine, so that a replacement boots with it.
 */
export function createMachine(
    cluster: Cluster,
    { machine, config, os, osLike, hooks }: LocalMachineOptions,
    opts: pulumi.CustomResourceOptions,
): local.Command {
    const identity = { cluster: cluster.name, name: machine.name };
    return new local.Command(
        machine.name,
        {
            create: machineCommand("machine create", {
                ...identity,
                address: machine.address,
                ...(machine.address6 && { address6: machine.address6 }),
                os,
                ...(osLike && { "os-like": osLike }),
            }),
            delete: machineCommand("machine destroy", identity),
            stdin: pulumi.secret(config.apply(os === "cloud-init" ? toCloudInit : render)),
        },
        { ...opts, hooks, deleteBeforeReplace: true },
    );
}

/**
 * Boot config of each machine by node name, controllers first.
 *
 * @param zones - see `LocalOptions`
 */
export function machineConfigs(
    { cluster, zones = [] }: { readonly cluster: Cluster; readonly zones?: readonly string[] },
    network: LocalNetwork,
    downloads: NodeDownloads,
    joiningOf: (machine: NamedMachine) => pulumi.Output<JoiningCredentials>,
): Record<string, pulumi.Output<Config>> {
    const options = (node: string, secrets: JoiningCredentials) => ({
        machine: machineOf(network, node),
        downloads,
        ...joinsBy(secrets),
    });
    const controllers = cluster.controllers.names.map((node, index) => {
        const placed = { ...cluster, controllers: inZone(cluster.controllers, zones, index) };
        const config = joiningOf({ pool: "controller", node }).apply((secrets) =>
            controllerConfig(placed, options(node, secrets)),
        );
        return [node, config] as const;
    });
    const others = otherPools(cluster).flatMap((pool) =>
        pool.nodes.map((node, index) => {
            const placed = inZone(pool, zones, index);
            const config = joiningOf({ pool: pool.name, node }).apply((secrets) =>
                workerConfig(cluster, placed, options(node, secrets)),
            );
            return [node, config] as const;
        }),
    );
    return Object.fromEntries([...controllers, ...others]);
}

function joinsBy({ ca, bootstrapToken, registryCredentials }: JoiningCredentials) {
    return { ca, bootstrapToken, ...(registryCredentials && { registryCredentials }) };
}

/** Configs of machines that join though the stack does not create them, by pool. */
export function joiningConfigs(
    cluster: Cluster,
    downloads: NodeDownloads,
    joining: pulumi.Output<JoiningCredentials>,
): pulumi.Output<Record<string, Config>> {
    return joining.apply((secrets) =>
        joinTemplates(cluster, (pool, machine) =>
            workerConfig(cluster, pool, { machine, downloads, ...joinsBy(secrets) }),
        ),
    );
}

/** A machine with its addresses. */
export function machineOf({ machines, byIpv6 }: LocalNetwork, name: string): Machine {
    return { name, address: machines[name]!, ...(byIpv6 && { address6: byIpv6.machines[name]! }) };
}

export function addressesOf({ address, address6 }: Machine): string[] {
    return address6 ? [address, address6] : [address];
}
