import { destroyDisk, growDisk } from "../../../machines";
import type { Properties } from "../../plugins/protocol/serve";
import { met } from "../shared/behaviours";
import { oneOf, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import { type Account, nameOf } from "./account";
import { attach, detachStopped } from "./attaching";
import { ebs, requirePerformance } from "./ebs";
import { awaitDetached } from "./eventually";
import { id, tags, wholeNumber, yesOrNo } from "./rules";

/** An EBS volume: a disk that appears in an instance at the device path of the Nitro system, and outlives instances. */
export const volume: Simulated<Account> = {
    inputs: {
        availabilityZone: text("an availability zone", /^[a-z]{2}(-[a-z]+)+-\d[a-f]$/, required),
        encrypted: oneOf([true], required),
        size: wholeNumber(1, 16_384, required),
        ...ebs,
        tags,
    },
    outputs: ["arn", "createTime"],
    async create(account, { availabilityZone, size, tags: given, ...performance }) {
        requireLegal(size, performance);
        const zone = String(availabilityZone);
        if (zone.slice(0, -1) !== account.state.region) {
            throw new Error(`InvalidZone.NotFound: The zone '${zone}' does not exist.`);
        }
        const id = account.newId("vol");
        const created = new Date().toISOString();
        account.put("volumes", id, { name: nameOf(given, id), zone, size: Number(size), created });
        return { id: id, outputs: { arn: account.arn("ec2", `volume/${id}`), createTime: created } };
    },
    async update(account, volumeId, { size, tags: given, ...performance }) {
        requireLegal(size, performance);
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
        if (holder) throw new Error(`VolumeInUse: Volume ${volumeId} is currently attached to ${holder.instance}`);
        awaitDetached(account, volumeId, "deleteVolume", `VolumeInUse: Volume ${volumeId} is currently attached`);
        if (network) await destroyDisk({ cluster: network, name: volumeId });
        account.remove("volumes", volumeId);
    },
};

function requireLegal(size: unknown, { type, iops, throughput }: Properties): void {
    const numberOf = (value: unknown) => (value === undefined ? undefined : Number(value));
    const given = { iops: numberOf(iops), throughput: numberOf(throughput) };
    requirePerformance({ type: String(type), size: Number(size), ...given });
}

/**
 * Attaches a volume to an instance: on deletion it detaches it after stopping the instance, or leaves that to the
 * instance's termination.
 */
export const volumeAttachment: Simulated<Account> = {
    inputs: {
        deviceName: text("a name for data volumes, /dev/sdf to /dev/sdp", /^\/dev\/sd[f-p]$/, required),
        instanceId: id("i", required),
        volumeId: id("vol", required),
        stopInstanceBeforeDetaching: oneOf([true]),
        skipDestroy: oneOf([true]),
        forceDetach: { ...yesOrNo, legal: "false", isLegal: (value: unknown) => value === false },
    },
    outputs: [],
    async create(account, { instanceId, volumeId, deviceName }) {
        const [instance, volume, device] = [instanceId, volumeId, deviceName].map(String) as [string, string, string];
        return { id: await attach(account, { instance, volume, device }) };
    },
    // The provider stores its behaviour on deletion in the state.
    update: async () => undefined,
    async delete(account, attachmentId, { inputs } = { inputs: {}, timeout: 0 }) {
        if (inputs.skipDestroy) return;
        if (!inputs.stopInstanceBeforeDetaching) {
            throw new Error("detaching a volume from a running instance is not simulated");
        }
        requireStoppable(account, String(inputs.instanceId));
        const volume = String(inputs.volumeId);
        await detachStopped(account, attachmentId);
        const late = `waiting for EBS Volume Attachment (${attachmentId}) delete: timeout`;
        awaitDetached(account, volume, "detachVolume", late);
    },
};

/** EC2's response to StopInstances, which Pulumi's provider calls before it detaches. */
function requireStoppable({ resources }: Account, instance: string): void {
    const refused = (problem: string) => new Error(`stopping EC2 Instance (${instance}): ${problem}`);
    if (resources.terminatedInstances[instance]) {
        met("no stop");
        throw refused(
            `IncorrectInstanceState: This instance '${instance}' is not in a state from which it can be stopped.`,
        );
    }
    if (!resources.instances[instance]) {
        throw refused(`InvalidInstanceID.NotFound: The instance ID '${instance}' does not exist`);
    }
}
