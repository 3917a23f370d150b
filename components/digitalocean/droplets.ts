import { Droplet } from "@pulumi/digitalocean/droplet";
import type { Volume } from "@pulumi/digitalocean/volume";
import * as pulumi from "@pulumi/pulumi";
import type { NodeDownloads } from "../../cluster/downloads";
import type { JoiningCredentials } from "../../cluster/keys/credentials";
import { isCandidatePool, type WorkerPool } from "../../cluster/model";
import type { Config } from "../../ignition";
import type { MachineTokens } from "../pki/machine-tokens";
import type { PoolWatch } from "../pool-watch/watch";
import { takesHooks } from "../pulumi/engine";
import { mustStay, plainError } from "../pulumi/errors";
import { explained } from "../pulumi/explained";
import { joinHooks } from "../pulumi/hooks";
import { isLate } from "../pulumi/late";
import { log } from "../pulumi/log";
import type { SizeTurns } from "../rolling-resize/hooks";
import type { LocalDataHooks } from "../upgrade/local-data-hooks";
import { type DigitalOceanNetwork, deletionTimeouts } from "./network";
import { controllerNode, createEtcdDisk, type NodeConfigs, userData, workerNode } from "./node-configs";
import type { DigitalOcean } from "./resolve";

/** What droplets boot, and the hooks of their changes. */
interface Boots {
    readonly image: pulumi.Input<string>;
    readonly hooks: pulumi.ResourceHookBinding;
}

interface DropletOptions extends Boots {
    readonly pool: string;
    readonly joining: pulumi.Output<JoiningCredentials>;
    readonly configOf: (joining: JoiningCredentials) => Config;
    /** Volume of a controller's etcd. @default none, for workers */
    readonly volume?: Volume;
    /** Whether it may become a controller, whose firewall it then needs. @default - only with a volume */
    readonly isCandidate?: boolean;
}

/**
 * Properties that a droplet keeps until it is replaced: it boots with them, or others change them, too. The CSI driver
 * attaches volumes of pods, and the provider would detach what is not among the stack's own.
 */
const keptInputs = ["userData", "image", "sshKeys", "monitoring", "volumeIds"];

/** The same, as far as the stack sets them. */
function dropletBootsWith({ image, sshKeys, monitoring }: DigitalOcean, config: Config): unknown {
    const others = monitoring ? ["monitoring"] : [];
    return pulumi.all([image, sshKeys]).apply(([id, keys]) => [config, id, keys, ...others]);
}

/**
 * A droplet that boots with a config once.
 *
 * A changed boot configuration does not change it, unless it is to be replaced.
 */
function createDroplet(
    name: string,
    digitalOcean: DigitalOcean,
    { vpc, nodeTag, controllerTag, workerTag, ingressTag }: DigitalOceanNetwork,
    { pool, joining, configOf, volume, isCandidate, hooks, image }: DropletOptions,
    opts: pulumi.CustomResourceOptions,
): Droplet {
    const { region, os, sizes, sshKeys, ingress, recreate, tags: given } = digitalOcean;
    const { ipv6, backups, monitoring } = digitalOcean;
    const tags = [
        nodeTag,
        ...(volume || isCandidate ? [controllerTag] : []),
        ...(!volume && workerTag ? [workerTag] : []),
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
            // In one step: an output that is a whole config would be searched and kept for each droplet.
            userData: pulumi.secret(joining.apply((each) => userData(name, os, configOf(each)))),
            sshKeys: [...sshKeys],
            // It would allow SSH access from DigitalOcean's console.
            dropletAgent: false,
            ...(ipv6 && { ipv6 }),
            ...(backups && { backups }),
            ...(monitoring && { monitoring }),
            // Pods end, and no file system is in use when its volume is detached.
            gracefulShutdown: true,
            // Without a larger disk, which etcd does not use, a controller can become smaller again.
            ...(volume && { volumeIds: [volume.id], resizeDisk: false }),
        },
        {
            ...opts,
            hooks,
            deleteBeforeReplace: true,
            customTimeouts: deletionTimeouts,
            ignoreChanges: [...(recreate.includes(name) ? [] : keptInputs), "dropletAgent", "ipv6"],
        },
    );
}

/**
 * Hooks of every droplet of a cluster.
 *
 * @param turns - in which they get another size
 */
export function dropletHooks(cluster: string, turns: SizeTurns, localData: LocalDataHooks): pulumi.ResourceHookBinding {
    const volumes = takesHooks() ? { beforeUpdate: [keepsVolumes(cluster)] } : {};
    return joinHooks(volumes, turns.hooks, localData.ofMachine, explained(cluster, lockAdvice));
}

/**
 * A droplet in `recreate` gets its own volume again. If it is not replaced, because it boots with the current
 * configuration already, the provider would detach the other volumes while they are mounted.
 */
function keepsVolumes(cluster: string): pulumi.ResourceHook {
    return new pulumi.ResourceHook(
        `${cluster}-keeps-volumes`,
        ({ name, oldInputs, newInputs }) => {
            const [before = [], after = []] = [oldInputs, newInputs].map((inputs) => inputs?.volumeIds as string[]);
            if (before.every((id) => after.includes(id))) return;
            throw plainError(`recreate must not list ${name}, which has the current configuration and volumes of pods`);
        },
        { onDryRun: true },
    );
}

const busy = "DigitalOcean is busy with another event of the droplet, such as a backup; once that has ended, run";

/**
 * What to do if a droplet stays busy and cannot be changed. The provider does not repeat such a call, and records the
 * change as made.
 */
export function busyAdvice(error: string): string | undefined {
    return error.includes("Droplet already has a pending event") ? `${busy} \`pulumi up --refresh\`` : undefined;
}

/** The same for a deletion: the provider waits for ten minutes, and then says that it cannot find the droplet. */
export function lockAdvice(error: string): string | undefined {
    const isLocked = /to be unlocked for destroy .*(couldn't find resource|timeout)/s.test(error);
    if (isLocked) return `${busy} the same command again`;
    const [, id] = /droplet \((\d+)\) to become off: timeout/.exec(error) ?? [];
    if (id === undefined) return undefined;
    return `the droplet's system does not shut down; run \`doctl compute droplet-action power-off ${id}\`, then the same command again`;
}

interface Controllers {
    readonly droplets: Readonly<Record<string, Droplet>>;
    /** Volumes of their etcd. */
    readonly volumes: readonly Volume[];
}

/** The controllers' droplets with their etcd volumes, starting with the one that the control plane starts on. */
export function createControllers(
    configs: NodeConfigs,
    network: DigitalOceanNetwork,
    tokens: MachineTokens,
    boots: Boots,
    opts: pulumi.CustomResourceOptions,
): Controllers {
    const { cluster, digitalOcean } = configs;
    const { names } = cluster.controllers;
    const volumes = Object.fromEntries(names.map((node) => [node, createEtcdDisk(node, digitalOcean, network, opts)]));
    const create = (node: string) => {
        const configOf = (joining: JoiningCredentials) => controllerNode(configs, node, joining);
        const bootsWith = (joining: JoiningCredentials) => dropletBootsWith(digitalOcean, configOf(joining));
        const joining = tokens.joiningOf({ pool: "controller", node }, bootsWith);
        const options = { pool: "controller", joining, configOf, volume: volumes[node]!, ...boots };
        return createDroplet(node, digitalOcean, network, options, opts);
    };
    const droplets = Object.fromEntries(names.map((node) => [node, create(node)]));
    // A running OS does not notice another address.
    mustStay("ipv6", digitalOcean.ipv6, droplets[names[0]!]!.ipv6.apply(Boolean));
    return { droplets, volumes: Object.values(volumes) };
}

/** Slugs of stock distribution images, which do not include containerd. */
const distributions = /^(almalinux|centos-stream|debian|fedora|rockylinux|ubuntu)-/;

/** Warns of droplets without a container runtime, although a snippet may install one. */
export function warnOfStockImage(
    { image }: Pick<DigitalOcean, "image">,
    { containerRuntime }: Pick<NodeDownloads, "containerRuntime">,
    component: pulumi.Resource,
): void {
    if (containerRuntime || isLate(image) || !distributions.test(String(image))) return;
    const what = `the image ${image} has no containerd, which a droplet needs to become a node`;
    log.warn(`${what}: set downloads.containerRuntime, or use a custom image that has it`, component);
}

/** Droplets of all worker pools. */
export function createWorkers(
    configs: NodeConfigs,
    network: DigitalOceanNetwork,
    tokens: MachineTokens,
    { watch, ...boots }: Boots & { readonly watch: PoolWatch },
    opts: pulumi.CustomResourceOptions,
): Record<string, Droplet> {
    const { cluster, digitalOcean } = configs;
    const watched = Object.fromEntries(
        cluster.workerPools.map(({ name, nodes }) => {
            return [name, watch.of({ name, nodes, desired: nodes.length }, ["afterCreate"])];
        }),
    );
    const create = (pool: WorkerPool, node: string) => {
        const configOf = (joining: JoiningCredentials) => workerNode(configs, pool, node, joining);
        const bootsWith = (joining: JoiningCredentials) => dropletBootsWith(digitalOcean, configOf(joining));
        const joining = tokens.joiningOf({ pool: pool.name, node }, bootsWith);
        const hooks = joinHooks(boots.hooks, watched[pool.name]!);
        return createDroplet(
            node,
            digitalOcean,
            network,
            { pool: pool.name, joining, configOf, isCandidate: isCandidatePool(cluster, pool), ...boots, hooks },
            opts,
        );
    };
    return Object.fromEntries(
        cluster.workerPools.flatMap((pool) => pool.nodes.map((node) => [node, create(pool, node)] as const)),
    );
}
