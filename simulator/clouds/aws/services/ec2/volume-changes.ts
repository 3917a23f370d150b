import { growDisk } from "../../../../../machines";
import { type Account, nameOf } from "../../account";
import { detachingOf } from "../../eventually";
import { isTag } from "../../rules";
import { volume } from "../../volume";
import { modificationState, type Performance, performanceOf, type Volume } from "../../volumes";
import type { Action, Call, Need } from "../query/action";
import { objectsOf, type Params, type Tags, tagsOf, textOf } from "../query/params";
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

/** Throws for parameters that are not simulated. */
export function onlyThese(params: Params, names: readonly string[]): void {
    const other = Object.keys(params).find((name) => ![...names, "Action", "Version", "DryRun"].includes(name));
    if (other) throw new Error(`InvalidParameter: The parameter ${other} is not simulated`);
}

/** Throws for tags that no service accepts. */
function refuseWrongTags(tags: Tags): void {
    const all = Object.entries(tags);
    if (all.length > 50) throw new Error("TagLimitExceeded: More than 50 tags specified");
    const wrong = all.find(([key, value]) => !isTag(key, value));
    if (wrong) throw new Error(`InvalidParameterValue: Tag '${wrong.join("=")}' is not valid`);
}

const createVolume: Action = {
    needs: ({ account, params }) => {
        const asked = tagsIn(params);
        const on = account.arn("ec2", "volume/*");
        const tagging = { action: "ec2:CreateTags", on, asked, context: { "ec2:CreateAction": "CreateVolume" } };
        const iops: Need["context"] = typeof params.Iops === "string" ? { "ec2:VolumeIops": params.Iops } : {};
        return [
            { action: "ec2:CreateVolume", on, asked, context: iops },
            ...(Object.keys(asked).length > 0 ? [tagging] : []),
        ];
    },
    check: (call) => void askedVolume(call),
    run: (call) => {
        const { account, params, role } = call;
        const asked = askedVolume(call);
        const client = clientOf(params, asked);
        const before = client && Object.entries(account.resources.volumes).find(([, each]) => isOf(each, client));
        if (before) return volumeSaid(...before);
        const id = account.newId("vol");
        const made = { ...asked, name: nameOf(asked.tags, id), created: new Date().toISOString(), madeBy: role };
        account.put("volumes", id, { ...made, ...(client && { client }) });
        account.appear(id);
        return { ...volumeSaid(id, made), status: "creating" };
    },
};

/** The requested volume; throws EC2's error if it is not allowed. */
function askedVolume({ account, params }: Call) {
    const known = ["AvailabilityZone", "Size", "VolumeType", "Encrypted", "Iops", "Throughput", "ClientToken"];
    onlyThese(params, [...known, "MultiAttachEnabled", "TagSpecification"]);
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
    const size = limited(params, "Size");
    if (size === undefined) throw new Error("MissingParameter: The request must contain the parameter size/snapshot");
    refuseDisproportion({ size, iops, throughput });
    const tags = tagsIn(params);
    refuseWrongTags(tags);
    return { zone, size, iops, throughput, isEncrypted: params.Encrypted === "true", tags };
}

function tagsIn(params: Params): Tags {
    const all = objectsOf(params, "TagSpecification").filter(({ ResourceType }) => ResourceType === "volume");
    return Object.assign({}, ...all.map((each) => tagsOf(each, "Tag")));
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
