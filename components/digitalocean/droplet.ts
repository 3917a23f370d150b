import { Droplet } from "@pulumi/digitalocean/droplet";
import type { Volume } from "@pulumi/digitalocean/volume";
import * as pulumi from "@pulumi/pulumi";
import type { Config } from "../../ignition";
import type { SizeTurns } from "../machine-turns/hooks";
import { deletionTimeouts } from "./deletion-timeouts";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";
import { userData } from "./user-data";

export interface DropletOptions {
    readonly pool: string;
    readonly config: pulumi.Output<Config>;
    /** A controller's, of its etcd. @default it is a worker, and has none */
    readonly volume?: Volume;
    readonly turns: SizeTurns;
}

/** What a droplet has from when it was made. */
const bootsWith = ["userData", "image", "sshKeys"];

/** The same, as far as the stack chooses it. */
export function dropletBootsWith({ image, sshKeys }: DigitalOcean, config: Config): unknown {
    return [config, image, sshKeys];
}

/**
 * A droplet that boots with a config, once.
 *
 * What it boots with never changes it, unless it is to be made anew.
 */
export function createDroplet(
    name: string,
    { region, image, os, sizes, sshKeys, ingress, hasIpv6, madeAnew, tags: given }: DigitalOcean,
    { vpc, nodeTag, controllerTag, ingressTag }: DigitalOceanNetwork,
    { pool, config, volume, turns }: DropletOptions,
    opts: pulumi.CustomResourceOptions,
): Droplet {
    const tags = [
        nodeTag,
        ...(volume ? [controllerTag] : []),
        ...(ingressTag && ingress?.pools.includes(pool) ? [ingressTag] : []),
    ];
    return new Droplet(
        name,
        {
            name,
            region,
            image,
            size: sizes[pool]!,
            vpcUuid: vpc.id,
            tags: [...tags.map((each) => each.name), ...given],
            userData: pulumi.secret(config.apply((each) => userData(name, os, each))),
            sshKeys: [...sshKeys],
            // It would let DigitalOcean's console in by SSH.
            dropletAgent: false,
            ...(hasIpv6 && { ipv6: true }),
            // Its file system is no longer in use when the volume is taken away.
            ...(volume && { volumeIds: [volume.id], gracefulShutdown: true }),
        },
        {
            ...opts,
            hooks: turns.hooksOf(name),
            deleteBeforeReplace: true,
            customTimeouts: deletionTimeouts,
            ignoreChanges: [...(madeAnew.includes(name) ? [] : bootsWith), "dropletAgent", "ipv6"],
        },
    );
}
