import { attachDisk, detachDisk, unplugDisk } from "../../../machines";
import type { Account } from "./account";
import { beginDetaching, detachingOf } from "./eventually";

export interface Attaching {
    readonly instance: string;
    readonly volume: string;
    readonly device: string;
}

/**
 * How many volumes an instance can have in addition to its root volume and its network card. Source: volume limits of
 * Nitro instances.
 */
const mostVolumes = 26;

/** Attaches a volume to an instance; throws EC2's error if that is not allowed. @returns the attachment's id */
export async function attach(account: Account, { instance, volume, device }: Attaching): Promise<string> {
    const { machine, vpc, state } = refuse(account, { instance, volume, device });
    if (state) throw new Error(`IncorrectState: Instance '${instance}' is not 'running'.`);
    const network = account.find("vpcs", vpc).name;
    const { size, name } = account.find("volumes", volume);
    account.change("volumes", volume, (now) => ({ ...now, network }));
    const id = account.newId("vai");
    const since = new Date().toISOString();
    account.put("volumeAttachments", id, { name, volume, instance, device, since, state: "attaching" });
    const link = `nvme-Amazon_Elastic_Block_Store_${volume.replace("-", "")}`;
    try {
        await attachDisk({ cluster: network, name: volume, machine, link, size });
    } catch (error) {
        account.remove("volumeAttachments", id);
        throw error;
    }
    account.change("volumeAttachments", id, ({ state: _, ...now }) => now);
    return id;
}

function refuse(account: Account, { instance, volume, device }: Attaching) {
    const found = account.find("instances", instance);
    const { zone, network } = account.find("volumes", volume);
    const others = account.all("volumeAttachments");
    if (others.some((each) => each.volume === volume) || detachingOf(account, volume)) {
        throw new Error(`VolumeInUse: ${volume} is already attached to an instance`);
    }
    const own = others.filter((each) => each.instance === instance);
    if (own.some((each) => each.device === device)) {
        throw new Error(`InvalidParameterValue: Attachment point ${device} is already in use`);
    }
    if (own.length >= mostVolumes) {
        throw new Error(`AttachmentLimitExceeded: ${instance} has as many attachments as its type takes`);
    }
    if (zone !== account.find("subnets", found.subnet).zone) {
        throw new Error(
            `InvalidVolume.ZoneMismatch: The volume '${volume}' is not in the same availability zone as instance '${instance}'`,
        );
    }
    if (network !== undefined && network !== account.find("vpcs", found.vpc).name) {
        throw new Error("moving a volume to another VPC is not simulated");
    }
    return found;
}

/** Detaches a volume from an instance, which is shut down first. */
export async function detachStopped(account: Account, attachment: string): Promise<void> {
    const { volume, instance } = account.find("volumeAttachments", attachment);
    const { machine, vpc } = account.find("instances", instance);
    await detachDisk({ cluster: account.find("vpcs", vpc).name, name: volume, machine });
    beginDetaching(account, attachment);
}

/** Detaches a volume from an instance that keeps running. @param isForced - even if it is mounted there */
export async function detachRunning(account: Account, attachment: string, isForced: boolean): Promise<void> {
    const { volume, instance } = account.find("volumeAttachments", attachment);
    const { machine, vpc } = account.find("instances", instance);
    const mark = (state?: "detaching") =>
        account.change("volumeAttachments", attachment, ({ state: _, ...now }) => ({
            ...now,
            ...(state && { state }),
        }));
    mark("detaching");
    try {
        await unplugDisk({ cluster: account.find("vpcs", vpc).name, name: volume, machine, isForced });
    } catch (error) {
        mark();
        throw error;
    }
    beginDetaching(account, attachment, runningDetachSeconds);
}

/** Programs in the cluster wait for it, in real time. */
const runningDetachSeconds = 3;

/** Detaches everything from an instance that is being terminated. */
export async function detachAll(account: Account, instanceId: string): Promise<void> {
    for (const [attachment, { instance }] of Object.entries(account.resources.volumeAttachments)) {
        if (instance === instanceId) await detachStopped(account, attachment);
    }
}
