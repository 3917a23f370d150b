import { isTag } from "../../rules";
import { type Params, type Tags, textOf } from "../query/params";

/** Limits of a gp3 volume. Source: EC2's API reference of CreateVolume and ModifyVolume. */
const limits = {
    Size: { least: 1, most: 65_536, words: "size" },
    Iops: { least: 3000, most: 80_000, words: "iops" },
    Throughput: { least: 125, most: 2000, words: "throughput" },
} as const;

/** A number of a request within gp3's limits; throws EC2's error otherwise. @returns undefined if it is not given */
export function limited(params: Params, name: keyof typeof limits): number | undefined {
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
export function refuseDisproportion({
    size,
    iops,
    throughput,
}: {
    size: number;
    iops: number;
    throughput: number;
}): void {
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
export function refuseWrongTags(tags: Tags): void {
    const all = Object.entries(tags);
    if (all.length > 50) throw new Error("TagLimitExceeded: More than 50 tags specified");
    const wrong = all.find(([key, value]) => !isTag(key, value));
    if (wrong) throw new Error(`InvalidParameterValue: Tag '${wrong.join("=")}' is not valid`);
}
