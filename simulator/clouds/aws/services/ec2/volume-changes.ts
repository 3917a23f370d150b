import { copyDisk, growDisk } from "../../../../../machines";
import { type Account, nameOf } from "../../account";
import { detachingOf } from "../../eventually";
import { snapshotState } from "../../snapshots";
import { volume } from "../../volume";
import { modificationState, type Performance, performanceOf, type Volume } from "../../volumes";
import type { Action, Call, Need } from "../query/action";
import { type Params, type Tags, textOf } from "../query/params";
import { onlyThese, refuseWrongTags, tagsFor } from "./requests";
import { onSnapshot, snapshotOf } from "./snapshots";
import { modificationSaid, named, onVolume, volumeSaid } from "./volumes";

/** Limits of a gp3 volume. Source: EC2's API reference of CreateVolume and ModifyVolume. */
const limits = {
    Size: { least: 1, most: 65_536, words: "size" },
    Iops: { least: 3000, most: 80_000, words: "iops" },
    Throughput: { least: 125, most: 2000, words: "throughput" },
} as const;

/** A number of a request within gp3's limits; throws EC2's error otherwise. @returns undefined if it is not given */
function limited(params: Params, name: keyof typeof limits): number | undefined {
    if (params[name] === undefined) return undefined;
    const value = Number(textOf(params, name));
    const { least, most, words } = limits[name];
    if (!Number.isInteger(value))
        throw new Error(`InvalidParameterValue: Invalid value '${params[name]}' for ${words}`);
    if (value > most) {
        throw new Error(`InvalidParameterValue: Volume ${words} of ${value} is too high; maximum is ${most}.`);
    }
    if (value < least) {
        throw new Error(`InvalidParameterValue: Volume ${words} of ${value} is too low; minimum is ${least}.`);
    }
    return value;
}

/** Maximum iops per GiB, and maximum MiB/s per four of them. */
function refuseDisproportion({ size, iops, throughput }: { size: number; iops: number; throughput: number }): void {
    if (iops > 3000 && iops > 500 * size) {
        throw new Error("InvalidParameterCombination: Volume iops to size ratio is too high; maximum is 500");
    }
    if (throughput > iops / 4) {
        throw new Error("InvalidParameterCombination: Throughput (MiBps) to iops ratio is too high; maximum is 0.25");
    }
}

const createVolume: Action = {
    needs: (call) => {
        const { account, params } = call;
        const from =
            params.SnapshotId === undefined ? [] : [onSnapshot(call, "ec2:CreateVolume", textOf(params, "SnapshotId"))];
        const asked = tagsFor(params, "volume");
        const on = account.arn("ec2", "volume/*");
        const tagging = { action: "ec2:CreateTags", on, asked, context: { "ec2:CreateAction": "CreateVolume" } };
        const iops: Need["context"] = typeof params.Iops === "string" ? { "ec2:VolumeIops": params.Iops } : {};
        return [
            { action: "ec2:CreateVolume", on, asked, context: iops },
            ...from,
            ...(Object.keys(asked).length > 0 ? [tagging] : []),
        ];
    },
    check: (call) => void askedVolume(call),
    run: async (call) => {
        const { account, params, role } = call;
        const asked = askedVolume(call);
        const client = clientOf(params, asked);
        const before = client && Object.entries(account.resources.volumes).find(([, each]) => isOf(each, client));
        if (before) return volumeSaid(...before);
        const id = account.newId("vol");
        const created = { ...asked, name: nameOf(asked.tags, id), created: new Date().toISOString(), createdBy: role };
        const { snapshot, size } = asked;
        const network = snapshot === undefined ? undefined : snapshotOf(account, snapshot).network;
        // Before its data is copied, so that a repeated request finds it.
        account.put("volumes", id, {
            ...created,
            ...(client && { client }),
            ...(network !== undefined && { network }),
        });
        account.appear(id);
        if (network !== undefined) await restore({ cluster: network, name: snapshot!, to: id, size });
        return { ...volumeSaid(id, created), status: "creating" };
    },
};

/** Copies a snapshot's data to a new volume, which may be larger. */
async function restore({
    size,
    to,
    ...from
}: Parameters<typeof copyDisk>[0] & { readonly size: number }): Promise<void> {
    await copyDisk({ ...from, to });
    await growDisk({ ...from, name: to, size });
}

/** The requested volume; throws EC2's error if it is not allowed. */
function askedVolume({ account, params }: Call) {
    const known = ["AvailabilityZone", "Size", "VolumeType", "Encrypted", "Iops", "Throughput", "ClientToken"];
    onlyThese(params, [...known, "SnapshotId", "MultiAttachEnabled", "TagSpecification"]);
    const zone = textOf(params, "AvailabilityZone");
    const { region, zoneLetters = ["a", "b", "c"] } = account.state;
    if (!zoneLetters.some((letter) => zone === region + letter)) {
        throw new Error(`InvalidZone.NotFound: The zone '${zone}' does not exist.`);
    }
    if (params.VolumeType !== "gp3")
        throw new Error(`InvalidParameterValue: Volumes of the type '${params.VolumeType}' are not simulated`);
    if (params.MultiAttachEnabled === "true") {
        throw new Error(
            "InvalidParameterCombination: The parameter MultiAttachEnabled is only supported for io1, io2 volumes.",
        );
    }
    const [iops, throughput] = [limited(params, "Iops") ?? 3000, limited(params, "Throughput") ?? 125];
    const snapshot = params.SnapshotId === undefined ? undefined : textOf(params, "SnapshotId");
    const least = snapshot === undefined ? undefined : requireComplete(account, snapshot);
    const size = limited(params, "Size") ?? least;
    if (least !== undefined && size! < least) {
        throw new Error(
            `InvalidParameterValue: Volume of size ${size}GB is smaller than snapshot '${snapshot}', expect size>= ${least}GB`,
        );
    }
    if (size === undefined) throw new Error("MissingParameter: The request must contain the parameter size/snapshot");
    refuseDisproportion({ size, iops, throughput });
    const tags = tagsFor(params, "volume");
    refuseWrongTags(tags);
    // A volume from an encrypted snapshot is encrypted.
    const isEncrypted =
        params.Encrypted === "true" || (snapshot !== undefined && snapshotOf(account, snapshot).isEncrypted);
    return { zone, size, iops, throughput, isEncrypted, tags, ...(snapshot !== undefined && { snapshot }) };
}

/** The size of a snapshot; throws EC2's error if it is pending. */
function requireComplete(account: Account, id: string): number {
    const snapshot = snapshotOf(account, id);
    if (snapshotState(snapshot) === "pending")
        throw new Error(`IncorrectState: Snapshot is in invalid state - pending`);
    return snapshot.size;
}

/** The order of tags does not matter. */
function clientOf(params: Params, { tags, ...asked }: { readonly tags: Tags }): Volume["client"] {
    if (params.ClientToken === undefined) return undefined;
    const token = textOf(params, "ClientToken");
    if (!/^[\x20-\x7e]{1,64}$/.test(token))
        throw new Error("InvalidParameterValue: ClientToken must be of 1 to 64 ASCII characters");
    return { token, asked: JSON.stringify([asked, Object.entries(tags).sort()]) };
}

function isOf({ client }: Volume, { token, asked }: NonNullable<Volume["client"]>): boolean {
    if (client?.token !== token) return false;
    if (client.asked === asked) return true;
    throw new Error(
        "IdempotentParameterMismatch: The request uses the same client token as a previous, but non-identical request.",
    );
}

const modifyVolume: Action = {
    needs: onVolume("ec2:ModifyVolume"),
    check: (call) => void askedChange(call),
    run: async (call) => {
        const { account, params } = call;
        const id = textOf(params, "VolumeId");
        const { before, after } = askedChange(call);
        const { network } = volumeOf(account, id);
        if (network) await growDisk({ cluster: network, name: id, size: after.size });
        const modification = { started: new Date().toISOString(), before, after };
        account.change("volumes", id, (now) => ({ ...now, ...after, modification }));
        return { volumeModification: modificationSaid(id, modification) };
    },
};

/** Hours after which a volume may be modified again. Source: EC2's API reference of ModifyVolume. */
const coolDownHours = 6;

function askedChange({ account, params }: Call): { readonly before: Performance; readonly after: Performance } {
    onlyThese(params, ["VolumeId", "Size", "VolumeType", "Iops", "Throughput"]);
    const id = textOf(params, "VolumeId");
    const found = volumeOf(account, id);
    const state = found.modification && modificationState(found.modification);
    if (state && state !== "completed") {
        throw new Error(
            `IncorrectModificationState: Cannot modify volume ${id} currently in modification state: ${state.toUpperCase()}`,
        );
    }
    if (found.modification && Date.now() - Date.parse(found.modification.started) < coolDownHours * 3_600_000) {
        throw new Error(
            `VolumeModificationRateExceeded: You've reached the maximum modification rate per volume limit. Wait at least ${coolDownHours} hours between modifications per EBS volume.`,
        );
    }
    if ((params.VolumeType ?? "gp3") !== "gp3")
        throw new Error("InvalidParameterValue: Volumes of other types are not simulated");
    const before = performanceOf(found);
    const after = {
        size: limited(params, "Size") ?? before.size,
        iops: limited(params, "Iops") ?? before.iops,
        throughput: limited(params, "Throughput") ?? before.throughput,
    };
    if (after.size < before.size) {
        throw new Error("InvalidParameterValue: New size cannot be smaller than existing size");
    }
    refuseDisproportion(after);
    return { before, after };
}

function volumeOf(account: Account, id: string): Volume {
    return named(account, [id])[id]!;
}

const deleteVolume: Action = {
    needs: onVolume("ec2:DeleteVolume"),
    run: async ({ account, params }) => {
        const id = textOf(params, "VolumeId");
        const { instance } = detachingOf(account, id) ?? {};
        if (instance) throw new Error(`VolumeInUse: Volume ${id} is currently attached to ${instance}`);
        await volume.delete(account, id);
        return { return: true };
    },
};

/** Creates, modifies and deletes volumes. */
export const volumeChanges: Readonly<Record<string, Action>> = {
    CreateVolume: createVolume,
    ModifyVolume: modifyVolume,
    DeleteVolume: deleteVolume,
};
