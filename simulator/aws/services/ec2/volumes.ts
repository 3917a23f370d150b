import { volume, volumeAttachment } from "../../volume";
import { type Action, type Call, look, type Need } from "../query/action";
import { textOf } from "../query/params";
import { filtered, tagSet, tagValues } from "./filters";

const describeVolumes = look("ec2:DescribeVolumes", ({ account, params }) => {
    const found = filtered(params, Object.entries(account.resources.volumes), ([id, { zone, tags }]) => ({
        "volume-id": id,
        "availability-zone": zone,
        ...tagValues(tags),
    }));
    const attachments = account.all("volumeAttachments");
    return {
        volumeSet: found.map(([volumeId, { zone, size, tags }]) => {
            const own = attachments.filter((each) => each.volume === volumeId);
            return {
                volumeId,
                size,
                availabilityZone: zone,
                status: own.length > 0 ? "in-use" : "available",
                attachmentSet: own.map(({ instance, device }) => ({
                    volumeId,
                    instanceId: instance,
                    device,
                    status: "attached",
                })),
                tagSet: tagSet(tags),
            };
        }),
    };
});

function onVolume(action: string): (call: Call) => Need[] {
    return ({ account, params }) => {
        const id = textOf(params, "VolumeId");
        const found = account.resources.volumes[id];
        if (!found) throw new Error(`InvalidVolume.NotFound: The volume '${id}' does not exist.`);
        return [{ action, on: account.arn("ec2", `volume/${id}`), tags: found.tags }];
    };
}

const detach: Action = {
    needs: onVolume("ec2:DetachVolume"),
    run: async ({ account, params }) => {
        const id = textOf(params, "VolumeId");
        const found = Object.entries(account.resources.volumeAttachments).find(([, each]) => each.volume === id);
        if (!found) throw new Error(`IncorrectState: Volume '${id}' is in the 'available' state.`);
        await volumeAttachment.delete(account, found[0]);
        return { volumeId: id, status: "detaching" };
    },
};

const remove: Action = {
    needs: onVolume("ec2:DeleteVolume"),
    run: async ({ account, params }) => {
        await volume.delete(account, textOf(params, "VolumeId"));
        return { return: true };
    },
};

/** Volumes, as somebody finds and deletes them who looks for what a dead cluster left. */
export const volumeActions: Readonly<Record<string, Action>> = {
    DescribeVolumes: describeVolumes,
    DetachVolume: detach,
    DeleteVolume: remove,
};
