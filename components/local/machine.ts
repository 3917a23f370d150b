import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { Config } from "../../ignition";
import { render, toCloudInit } from "../../ignition";
import type { Machine } from "../cluster/credentials";
import type { Cluster } from "../cluster/model";
import { machineCommand } from "./machine-command";

export interface LocalMachineOptions {
    readonly machine: Machine;
    readonly config: pulumi.Output<Config>;
    /** How the machine's OS takes its configuration: `ignition` or `cloud-init`. */
    readonly os: string;
    /** An operating system that it imitates. @default none */
    readonly osLike?: string;
}

/**
 * A machine that boots with a config, once.
 *
 * A changed config never replaces a running machine: replacement is explicit (`pulumi up --replace`). Pulumi
 * remembers it, as an update that does nothing to a machine that is there, so that one made anew boots with it.
 */
export function createMachine(
    cluster: Cluster,
    { machine, config, os, osLike }: LocalMachineOptions,
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
        { ...opts, deleteBeforeReplace: true },
    );
}
