import type { Account } from "../../account";
import { detachingOf, isDescribed } from "../../eventually";
import { modificationState, performanceOf, type Volume, type VolumeAttachment } from "../../volumes";
import { type Action, type Call, type Need, readAction } from "../query/action";
import { textOf, textsOf } from "../query/params";
import { filtered, tagSet, tagValues } from "./filters";

const describeVolumes = readAction("ec2:DescribeVolumes", ({ account, params }) => {
    const attachments = account.all("volumeAttachments");
    const own = (id: string) => {
        const now = attachments.filter(({ volume }) => volume === id);
        return now.length > 0 ? now : [detachingOf(account, id) ?? []].flat();
    };
    const found = filtered(params, Object.entries(described(account, textsOf(params, "VolumeId"))), ([id, each]) => ({
        "volume-id": id,
        "availability-zone": each.zone,
        status: statusOf(own(id)),
        "attachment.instance-id": own(id).map(({ instance }) => instance),
        ...tagValues(each.tags),
    }));
    return { volumeSet: found.map(([id, each]) => volumeSaid(id, each, own(id))) };
});

/** The requested volumes, or all; throws EC2's error if one does not exist. */
export function named({ resources: { volumes } }: Account, ids: readonly string[]): Readonly<Record<string, Volume>> {
    if (ids.length === 0) return volumes;
    return Object.fromEntries(ids.map((id) => [id, volumes[id] ?? fail(id)]));
}

/** The same for a read, which does not know new volumes at once. */
function described(account: Account, ids: readonly string[]): Readonly<Record<string, Volume>> {
    const unknown = ids.find((id) => !isDescribed(account, id));
    if (unknown !== undefined) fail(unknown);
    return Object.fromEntries(Object.entries(named(account, ids)).filter(([id]) => isDescribed(account, id)));
}

function fail(id: string): never {
    throw new Error(`InvalidVolume.NotFound: The volume '${id}' does not exist.`);
}

function statusOf(own: readonly VolumeAttachment[]): string {
    return own.length > 0 ? "in-use" : "available";
}

/** A volume as EC2 describes it. */
export function volumeSaid(volumeId: string, volume: Volume, own: readonly VolumeAttachment[] = []) {
    const { zone, created, isEncrypted = true, snapshot, tags } = volume;
    return {
        volumeId,
        availabilityZone: zone,
        status: statusOf(own),
        createTime: created,
        volumeType: "gp3",
        ...performanceOf(volume),
        encrypted: isEncrypted,
        snapshotId: snapshot ?? "",
        multiAttachEnabled: false,
        attachmentSet: own.map(attachmentSaid),
        tagSet: tagSet(tags),
    };
}

export function attachmentSaid({ volume, instance, device, since, state = undefined }: VolumeAttachment) {
    return {
        volumeId: volume,
        instanceId: instance,
        device,
        status: state ?? "attached",
        attachTime: since,
        deleteOnTermination: false,
    };
}

const describeVolumeStatus = readAction("ec2:DescribeVolumeStatus", ({ account, params }) => {
    const details = ["io-enabled", "initialization-state"].map((name) => ({
        name,
        status: name === "io-enabled" ? "passed" : "completed",
    }));
    return {
        volumeStatusSet: Object.entries(described(account, textsOf(params, "VolumeId"))).map(
            ([volumeId, { zone }]) => ({
                volumeId,
                availabilityZone: zone,
                volumeStatus: { status: "ok", details },
            }),
        ),
    };
});

const describeVolumesModifications = readAction("ec2:DescribeVolumesModifications", ({ account, params }) => {
    const ids = textsOf(params, "VolumeId");
    const all = Object.entries(named(account, ids)).filter(([, { modification }]) => modification);
    const never = ids.find((id) => !all.some(([each]) => each === id));
    if (never !== undefined) {
        throw new Error(`InvalidVolumeModification.NotFound: Modification for volume '${never}' does not exist.`);
    }
    return { volumeModificationSet: all.map(([id, { modification }]) => modificationSaid(id, modification!)) };
});

/** A volume's last modification as EC2 describes it. */
export function modificationSaid(volumeId: string, modification: NonNullable<Volume["modification"]>) {
    const { before, after, started } = modification;
    const state = modificationState(modification);
    const described = (which: "original" | "target", { size, iops, throughput }: typeof before) => ({
        [`${which}Size`]: size,
        [`${which}Iops`]: iops,
        [`${which}Throughput`]: throughput,
        [`${which}VolumeType`]: "gp3",
    });
    return {
        volumeId,
        modificationState: state,
        progress: state === "completed" ? 100 : 0,
        startTime: started,
        ...described("original", before),
        ...described("target", after),
    };
}

/** The permissions that a call needs on its volume, whose tags decide. */
export function onVolume(action: string): (call: Call) => Need[] {
    return ({ account, params }) => {
        const id = textOf(params, "VolumeId");
        const { tags } = named(account, [id])[id]!;
        return [{ action, on: account.arn("ec2", `volume/${id}`), tags }];
    };
}

/** Lists volumes for the volume driver and for the clean-up of a dead cluster. */
export const volumeReads: Readonly<Record<string, Action>> = {
    DescribeVolumes: describeVolumes,
    DescribeVolumeStatus: describeVolumeStatus,
    DescribeVolumesModifications: describeVolumesModifications,
};
