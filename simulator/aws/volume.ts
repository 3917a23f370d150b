import { attachDisk, destroyDisk, detachDisk, growDisk } from "../../machines";
import { oneOf, text } from "../cloud/inputs";
import type { Simulated } from "../cloud/simulated";
import { type Account, nameOf } from "./account";
import { id, tags, wholeNumber, yesOrNo } from "./rules";

/** An EBS volume: a disk that appears where an instance of the Nitro system has it, and outlives instances. */
export const volume: Simulated<Account> = {
    inputs: {
        rules: {
            availabilityZone: text("an availability zone", /^[a-z]{2}(-[a-z]+)+-\d[a-f]$/, {
                isRequired: true,
                isFixed: true,
            }),
            encrypted: oneOf([true], { isRequired: true, isFixed: true }),
            size: wholeNumber(1, 16_384, { isRequired: true }),
            type: oneOf(["gp3"], { isRequired: true }),
            tags,
        },
        notSimulated: [
            "finalSnapshot",
            "iops",
            "kmsKeyId",
            "multiAttachEnabled",
            "outpostArn",
            "region",
            "snapshotId",
            "throughput",
            "volumeInitializationRate",
        ],
    },
    outputs: ["arn", "createTime"],
    async create(account, { availabilityZone, size, tags: given }) {
        const zone = String(availabilityZone);
        if (zone.slice(0, -1) !== account.state.region) {
            throw new Error(`InvalidZone.NotFound: The zone '${zone}' does not exist.`);
        }
        const made = account.newId("vol");
        account.put("volumes", made, { name: nameOf(given, made), zone, size: Number(size) });
        const arn = account.arn("ec2", `volume/${made}`);
        return { id: made, outputs: { arn, createTime: new Date().toISOString() } };
    },
    async update(account, volumeId, { size, tags: given }) {
        const before = account.find("volumes", volumeId);
        if (Number(size) < before.size) {
            throw new Error("InvalidParameterValue: New size cannot be smaller than existing size");
        }
        if (before.network) await growDisk({ cluster: before.network, name: volumeId, size: Number(size) });
        account.put("volumes", volumeId, { ...before, name: nameOf(given, volumeId), size: Number(size) });
        return undefined;
    },
    async delete(account, volumeId) {
        const { network } = account.find("volumes", volumeId);
        const holder = account.all("volumeAttachments").find((each) => each.volume === volumeId);
        if (holder) {
            throw new Error(`VolumeInUse: Volume ${volumeId} is currently attached to ${holder.instance}`);
        }
        if (network) await destroyDisk({ cluster: network, name: volumeId });
        account.remove("volumes", volumeId);
    },
};

/** What attaches a volume to an instance, which is stopped before it is taken away. */
export const volumeAttachment: Simulated<Account> = {
    inputs: {
        rules: {
            deviceName: text("a name for data volumes, /dev/sdf to /dev/sdp", /^\/dev\/sd[f-p]$/, {
                isRequired: true,
                isFixed: true,
            }),
            instanceId: id("i", { isRequired: true, isFixed: true }),
            volumeId: id("vol", { isRequired: true, isFixed: true }),
            stopInstanceBeforeDetaching: { ...oneOf([true]), isRequired: true },
            forceDetach: { ...yesOrNo, legal: "false", isLegal: (value: unknown) => value === false },
        },
        notSimulated: ["region", "skipDestroy"],
    },
    outputs: [],
    async create(account, inputs) {
        const [instanceId, volumeId, device] = [inputs.instanceId, inputs.volumeId, inputs.deviceName].map(String) as [
            string,
            string,
            string,
        ];
        const { machine, vpc, subnet } = account.find("instances", instanceId);
        const found = account.find("volumes", volumeId);
        const others = account.all("volumeAttachments");
        if (others.some((each) => each.volume === volumeId)) {
            throw new Error(`VolumeInUse: ${volumeId} is already attached to an instance`);
        }
        if (others.some((each) => each.instance === instanceId && each.device === device)) {
            throw new Error(`InvalidParameterValue: Attachment point ${device} is already in use`);
        }
        if (found.zone !== account.find("subnets", subnet).zone) {
            throw new Error(
                `InvalidVolume.ZoneMismatch: The volume '${volumeId}' is not in the same availability zone as instance '${instanceId}'`,
            );
        }
        const network = account.find("vpcs", vpc).name;
        if (found.network !== undefined && found.network !== network) {
            throw new Error("a volume that goes from one VPC to another is not simulated");
        }
        const link = `nvme-Amazon_Elastic_Block_Store_${volumeId.replace("-", "")}`;
        account.put("volumes", volumeId, { ...found, network });
        await attachDisk({ cluster: network, name: volumeId, machine, link, size: found.size });
        const made = account.newId("vai");
        account.put("volumeAttachments", made, { name: found.name, volume: volumeId, instance: instanceId, device });
        return { id: made };
    },
    async delete(account, attachmentId) {
        await detach(account, attachmentId);
    },
};

/** Takes from an instance that ends what is attached to it. */
export async function detachAll(account: Account, instanceId: string): Promise<void> {
    for (const [attachmentId, { instance }] of Object.entries(account.resources.volumeAttachments)) {
        if (instance === instanceId) await detach(account, attachmentId);
    }
}

async function detach(account: Account, attachmentId: string): Promise<void> {
    const { volume: volumeId, instance } = account.find("volumeAttachments", attachmentId);
    const { machine, vpc } = account.find("instances", instance);
    await detachDisk({ cluster: account.find("vpcs", vpc).name, name: volumeId, machine });
    account.remove("volumeAttachments", attachmentId);
}
