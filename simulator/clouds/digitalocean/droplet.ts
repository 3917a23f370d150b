import { setTimeout as sleep } from "node:timers/promises";
import {
    createMachine,
    destroyMachine,
    detachDisk,
    type MachineOs,
    powerOff,
    powerOn,
    shutDown,
} from "../../../machines";
import type { Properties } from "../../plugins/protocol/serve";
import { simulatorCa } from "../services/simulator-ca";
import { startServices } from "../services/start";
import { met } from "../shared/behaviours";
import { listOf, oneOf, required, text } from "../shared/inputs";
import { type Deletion, HalfDone, type Simulated } from "../shared/simulated";
import { hashedUserData } from "../shared/user-data";
import type { Account, Droplet as DropletOfAccount } from "./account";
import { applyFirewalls, ruleset } from "./firewall";
import { freeAddresses, makePublic, rebalance } from "./load-balancer";
import { imageRegions, images, isOffered, maxUserData, regions, sizes } from "./offers";
import { tagPattern } from "./project-resources";
import { attach, pull, requireVolumes } from "./volume";

const uuid = /^[0-9a-f-]{36}$/;
const isUserData = (value: unknown) => typeof value === "string" && Buffer.byteLength(value) <= maxUserData;

/**
 * A droplet: a local machine that boots from the user-data, with an address in the VPC and one in the part of it that
 * stands for the internet.
 */
export const droplet: Simulated<Account> = {
    inputs: {
        name: text("a host name", /^[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?$/, required),
        region: oneOf(regions, required),
        size: oneOf(Object.keys(sizes), required),
        image: text("an image's slug or id", /^[a-z0-9.-]+$/, required),
        vpcUuid: text("a VPC's id", uuid, required),
        tags: listOf("tags", (value: unknown) => tagPattern.test(String(value))),
        userData: { legal: `at most ${maxUserData} bytes`, isLegal: isUserData },
        sshKeys: listOf("keys' ids", (value: unknown) => typeof value === "string"),
        dropletAgent: oneOf([false]),
        gracefulShutdown: oneOf([true]),
        resizeDisk: oneOf([true, false]),
        ipv6: oneOf([true, false]),
        backups: oneOf([true, false]),
        monitoring: oneOf([true, false]),
        volumeIds: listOf("volumes' ids", (value: unknown) => uuid.test(String(value))),
    },
    outputs: [
        "createdAt",
        "dropletUrn",
        "ipv4Address",
        "ipv4AddressPrivate",
        "ipv6",
        "ipv6Address",
        "locked",
        "status",
    ],
    async create(account: Account, inputs: Properties) {
        const { vpcs, droplets } = account.resources;
        const { name, region, size, vpcUuid, ipv6, tags = [], userData = "", volumeIds = [] } = inputs;
        const home = vpcs[String(vpcUuid)];
        if (!home || home.region !== region) throw new Error(`vpcUuid must be a VPC of ${region} (got ${vpcUuid})`);
        if (Object.values(droplets).some((each) => each.name === name && each.vpc === vpcUuid)) {
            throw new Error(`two droplets with the same name are not simulated (got ${name})`);
        }
        requireRoom(account);
        if (!isOffered(String(size), String(region))) throw new Error(`Size is not available in this region: ${size}`);
        const os = osOf(account, inputs);
        const volumes = volumeIds as string[];
        requireVolumes(account, volumes, String(region));
        const addresses = freeAddresses(
            home,
            Object.values(droplets).map((each) => each.address),
        );
        const { address, publicAddress } = addresses;
        const ipv6Address = ipv6 === true ? documentationAddress(publicAddress) : undefined;
        account.put("vpcs", String(vpcUuid), { ...home, given: (home.given ?? 0) + 1 });
        const created = { name: String(name), region: String(region), vpc: String(vpcUuid), ...addresses, ipv6Address };
        const id = account.newId("droplets");
        account.put("droplets", id, {
            ...created,
            tags: tags as string[],
            size: String(size),
            disk: sizes[String(size)]!.disk,
            userData: String(userData),
            volumes,
        });
        const cloud = { platform: "digitalocean", hops: 64, authority: simulatorCa().certificate } as const;
        await startServices("digitalocean", account.path).ready;
        const packetFilter = ruleset(account.resources, account.resources.droplets[id]!);
        // The stock images have none, as distributions release them.
        const hasRuntime = images[String(inputs.image)] === undefined;
        const machine = { cluster: home.name, name: created.name, address, os, hasRuntime, cloud, packetFilter };
        await sleep((account.state.machineSeconds ?? 0) * 1000);
        await createMachine(machine);
        await makePublic(home, created.name, addresses);
        for (const each of volumes) await attach(account, each, { network: home.name, machine: created.name });
        await rebalance(account);
        await applyFirewalls(account);
        const outputs = {
            ipv4Address: publicAddress,
            ipv4AddressPrivate: address,
            ipv6: ipv6 === true,
            ...(ipv6Address && { ipv6Address }),
            locked: false,
            status: "active",
            dropletUrn: `do:droplet:${id}`,
            ...hashedUserData(inputs),
        };
        return { id, outputs: { ...outputs, createdAt: new Date().toISOString() } };
    },
    async update(account: Account, id: string, inputs: Properties, recorded: Properties = {}) {
        const { size, resizeDisk = true, ipv6 = false, tags = [], volumeIds = [] } = inputs;
        const before = account.resources.droplets[id]!;
        const { disk = sizes[before.size ?? ""]?.disk ?? 0, volumes = [] } = before;
        if (inputs.name !== before.name) throw new Error("changing the name is not simulated");
        if (ipv6 !== (before.ipv6Address !== undefined)) {
            throw new Error("changing ipv6 of an existing droplet is not simulated");
        }
        const isOthers = String(volumeIds) !== String(recorded.volumeIds ?? []);
        const kept = volumes.filter((each) => !isOthers || (volumeIds as string[]).includes(each));
        if (isOthers && kept.length < (volumeIds as string[]).length) {
            throw new Error("attaching another volume to an existing droplet is not simulated");
        }
        if (size !== before.size && !isOffered(String(size), before.region)) {
            throw new Error(`Size is not available in this region: ${size}`);
        }
        if (size !== before.size && account.isBusy(before.name)) {
            met("locked droplet");
            throw new HalfDone(updateErrors.locked(id));
        }
        if (kept.length < volumes.length) met("changed by others");
        for (const each of volumes.filter((one) => !kept.includes(one))) await pull(account, each, before);
        const offered = sizes[String(size)]!.disk;
        const isTooSmall = size !== before.size && offered < disk;
        account.put("droplets", id, {
            ...before,
            ...(!isTooSmall && { size: String(size) }),
            disk: resizeDisk === true ? Math.max(disk, offered) : disk,
            tags: tags as string[],
            volumes: kept,
        });
        // As the service's provider does.
        if (size !== before.size) await powerCycle(account, before);
        if (isTooSmall) throw new HalfDone(updateErrors.disk(id));
        await rebalance(account);
        await applyFirewalls(account);
        return hashedUserData(inputs);
    },
    // Read back: who attached them makes no difference. Source: resource_droplet.go, `volume_ids`.
    now: (account: Account, id: string) => ({ volumeIds: [...(account.resources.droplets[id]?.volumes ?? [])] }),
    async delete(account: Account, id: string, { inputs, timeout }: Deletion = { inputs: {}, timeout: 0 }) {
        const { vpcs, droplets } = account.resources;
        const droplet = droplets[id];
        if (!droplet) throw new Error(deletionErrors.missing(id));
        const { name, vpc, volumes = [] } = droplet;
        const home = vpcs[vpc]!.name;
        const left = awaitUnlocked(account, { id, name, timeout });
        const shutdown = inputs.gracefulShutdown === true ? await secondsToShutDown(home, name) : undefined;
        const late = stepOutOfTime(shutdown, left, { hasVolumes: volumes.length > 0 });
        if (stepOutOfTime(shutdown, 0, { hasVolumes: volumes.length > 0 })) met("slow deletion");
        if (late === "off") throw new Error(deletionErrors.off(id));
        for (const each of volumes) await detachDisk({ cluster: home, name: each, machine: name });
        await destroyMachine(home, name);
        account.remove("droplets", id);
        await rebalance(account);
        await applyFirewalls(account);
        // The service has deleted it; only the provider gave up waiting.
        if (late === "destroyed") throw new Error(deletionErrors.destroyed());
    },
};

async function secondsToShutDown(home: string, name: string): Promise<number> {
    const start = performance.now();
    await shutDown(home, name);
    return Math.max(leastShutdown, (performance.now() - start) / 1000);
}

/** After 61 checks it concludes that there is no such droplet, since its check of a locked one finds nothing. */
const mostLockedSeconds = 600;

/**
 * The provider waits until a droplet is unlocked before it deletes it. Source: `waitForDropletAttribute` and
 * `dropletStateRefreshFunc` of `resource_droplet.go`, with the intervals of its SDK's `StateChangeConf`.
 *
 * @returns the time that is left of the timeout
 */
export function awaitUnlocked(
    account: Account,
    { id, name, timeout }: { readonly id: string; readonly name: string; readonly timeout: number },
): number {
    const seconds = account.secondsLocked(name);
    if (seconds === 0) return timeout;
    met("locked droplet");
    const all = timeout || defaultDeleteTimeout;
    const limit = Math.min(all, mostLockedSeconds);
    account.wait(Math.min(seconds, limit));
    if (seconds > limit) throw new Error(deletionErrors.locked(id, all <= mostLockedSeconds));
    // Zero is the default.
    return Math.max(1, all - seconds);
}

/** Also of a machine that has lost its power. */
export async function powerCycle(account: Account, droplet: DropletOfAccount): Promise<void> {
    const { vpc, name, address, publicAddress = "" } = droplet;
    const home = account.resources.vpcs[vpc]!;
    await powerOff(home.name, name).catch(() => undefined);
    await powerOn(home.name, name);
    await makePublic(home, name, { address, publicAddress });
}

function documentationAddress(ipv4: string): string {
    return `2001:db8::${ipv4.replaceAll(".", ":")}`;
}

/** What the service rejects with 422. */
function requireRoom({ state: { dropletLimit = 25 }, resources }: Account): void {
    if (Object.keys(resources.droplets).length < dropletLimit) return;
    met("quota");
    throw new Error("creating this/these droplet(s) will exceed your droplet limit");
}

function osOf(account: Account, { image, region, ipv6, monitoring, sshKeys = [] }: Properties): MachineOs {
    const { state, resources } = account;
    const keys = Object.entries(account.sshKeys).flatMap(([id, { fingerprint }]) => [id, fingerprint]);
    const key = String(image);
    const imported = resources.images?.[key];
    const own = { ...state.images, ...(imported && { [key]: imported.os }) };
    const os = images[key] ?? own[key];
    if (!os) throw new Error(`image must be one that the service or the account has (got ${image})`);
    const where = imported?.regions ?? state.imageRegions?.[key] ?? imageRegions[key] ?? regions;
    if (!where.includes(String(region))) throw new Error(`Image is not available in the selected region: ${image}`);
    if (imported && imported.status !== "available") throw new Error(`Image is not ready: ${imported.status}`);
    if (own[key] && monitoring === true) throw new Error("a droplet of a custom image gets no metrics agent");
    const unknown = (sshKeys as string[]).find((key) => !keys.includes(key));
    if (unknown) throw new Error(`${unknown} are invalid key identifiers for Droplet creation.`);
    if (own[String(image)] && ipv6 === true) throw new Error("a droplet of a custom image has no IPv6");
    if (own[String(image)] && (sshKeys as string[]).length === 0) {
        throw new Error("a droplet of a custom image must have an SSH key");
    }
    return os;
}

/**
 * How long the provider waits during a deletion, in seconds. Source: `resource_droplet.go` of the Terraform provider;
 * measured with the official plugin: a shutdown of 25 s fits into its default timeout, one of 45 s does not.
 */
const waits = {
    /** Before it checks whether the droplet is unlocked. */
    unlocked: 10,
    /** Minimum before it checks whether the droplet is off. */
    off: 10,
    /** For volumes to be detached. */
    detached: 10,
    /** Before it checks whether the droplet is destroyed, and between checks. */
    destroyed: 14,
} as const;

/** Minimum duration of a graceful shutdown in seconds: a kubelet ends its pods in 31 to 50. */
const leastShutdown = 45;

/** The provider's default if the program sets no `customTimeouts`, in seconds. */
const defaultDeleteTimeout = 60;

type DeletionStep = "off" | "destroyed";

/**
 * The step in which a deletion times out.
 *
 * The waits are added up, not slept: only the shutdown takes real time.
 *
 * @param shutdown - seconds that the machine took to shut down; undefined without a graceful shutdown
 * @param timeout - for the whole deletion, in seconds; 0 is the provider's default
 */
export function stepOutOfTime(
    shutdown: number | undefined,
    timeout: number,
    { hasVolumes }: { readonly hasVolumes: boolean },
): DeletionStep | undefined {
    const limit = timeout || defaultDeleteTimeout;
    const off = waits.unlocked + (shutdown === undefined ? 0 : Math.max(waits.off, shutdown));
    if (off > limit) return "off";
    const whole = off + (hasVolumes ? waits.detached : 0) + waits.destroyed;
    return whole > limit ? "destroyed" : undefined;
}

/** The provider's messages. */
const updateErrors = {
    locked: (id: string) =>
        `Error powering off droplet (${id}): POST https://api.digitalocean.com/v2/droplets/${id}/actions: 422 Droplet already has a pending event.`,
    // digitalocean/terraform#7094.
    disk: (id: string) =>
        `Error resizing droplet (${id}): POST https://api.digitalocean.com/v2/droplets/${id}/actions: 422 Size can not decrease size of Droplet's disk image.`,
} as const;

const deletionErrors = {
    locked: (id: string, isTimeout: boolean) =>
        `Error waiting for droplet to be unlocked for destroy (${id}): ${isTimeout ? "timeout while waiting for state to become 'false'" : "couldn't find resource (61 retries)"}`,
    off: (id: string) =>
        `Error waiting for droplet (${id}) to become off: timeout while waiting for state to become 'off' (last state: 'active')`,
    destroyed: () => "Error deleting droplet: context deadline exceeded",
    missing: (id: string) =>
        `Error waiting for droplet to be unlocked for destroy (${id}): unexpected state 'Not Found', wanted target 'false'`,
} as const;
