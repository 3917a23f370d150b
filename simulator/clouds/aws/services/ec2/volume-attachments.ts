import type { Account } from "../../account";
import { attach, detachRunning } from "../../attaching";
import type { Action, Call, Need } from "../query/action";
import { textOf } from "../query/params";
import { onlyThese } from "./requests";
import { attachmentSaid, onVolume } from "./volumes";

/** Device names of data volumes. Source: device names on Linux instances, and the volume driver's list of them. */
const deviceName = /^\/dev\/(sd[b-z]|xvd[b-z]|xvd[a-d][a-z])$/;

const attachVolume: Action = {
    needs: (call) => [
        ...onVolume("ec2:AttachVolume")(call),
        onInstance("ec2:AttachVolume", call.account, textOf(call.params, "InstanceId")),
    ],
    check: ({ params }) => {
        onlyThese(params, ["VolumeId", "InstanceId", "Device"]);
        const device = textOf(params, "Device");
        if (!deviceName.test(device)) {
            throw new Error(`InvalidParameterValue: Value (${device}) for parameter device is invalid.`);
        }
    },
    run: async ({ account, params }) => {
        const [volume, instance, device] = ["VolumeId", "InstanceId", "Device"].map((name) => textOf(params, name)) as [
            string,
            string,
            string,
        ];
        const id = await attach(account, { volume, instance, device });
        return { ...attachmentSaid(account.find("volumeAttachments", id)), status: "attaching" };
    },
};

function onInstance(action: string, account: Account, id: string): Need {
    const found = account.resources.instances[id];
    if (!found) throw new Error(`InvalidInstanceID.NotFound: The instance ID '${id}' does not exist`);
    return { action, on: account.arn("ec2", `instance/${id}`), tags: found.tags };
}

const detachVolume: Action = {
    needs: (call) => [
        ...onVolume("ec2:DetachVolume")(call),
        onInstance("ec2:DetachVolume", call.account, attachmentOf(call)[1].instance),
    ],
    check: ({ params }) => onlyThese(params, ["VolumeId", "InstanceId", "Device", "Force"]),
    run: async (call) => {
        const [id, attachment] = attachmentOf(call);
        await detachRunning(call.account, id, call.params.Force === "true");
        return { ...attachmentSaid(attachment), status: "detaching" };
    },
};

/** The attachment of the volume that a request specifies, to the instance that it may specify too. */
function attachmentOf({ account, params }: Call) {
    const id = textOf(params, "VolumeId");
    const found = Object.entries(account.resources.volumeAttachments).find(([, { volume }]) => volume === id);
    if (!found) throw new Error(`IncorrectState: Volume '${id}' is in the 'available' state.`);
    if (params.InstanceId !== undefined && params.InstanceId !== found[1].instance) {
        throw new Error(
            `InvalidAttachment.NotFound: The volume '${id}' is not attached to instance '${params.InstanceId}'`,
        );
    }
    return found;
}

/** Attaches volumes to running instances and detaches them. */
export const volumeAttachments: Readonly<Record<string, Action>> = {
    AttachVolume: attachVolume,
    DetachVolume: detachVolume,
};
