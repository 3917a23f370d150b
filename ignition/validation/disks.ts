import type { Config } from "../config";
import type { Disk, Filesystem, Luks, Partition, Raid } from "../types";
import { conflict, mustBe } from "./error";
import { pathErrors } from "./nodes";
import { isUrl, resourceErrors } from "./resources";

const guid = /^(?:|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;
const stripedLevels = ["linear", "raid0", "0", "stripe"];
const redundantLevels = ["raid1", "1", "mirror", "raid4", "4", "raid5", "5", "raid6", "6", "raid10", "10"];

/** Maximum label length of each format, in bytes. Formats without labels have none. */
const labelLengths = { ext4: 16, btrfs: 256, xfs: 12, swap: 15, vfat: 11, none: Number.POSITIVE_INFINITY };

/** Errors in disks, RAID, LUKS and filesystems. */
export function diskErrors({ storage = {} }: Config): string[] {
    const { disks = [], raid = [], luks = [], filesystems = [] } = storage;
    return [
        ...disks.flatMap((disk, i) => partitionTableErrors(disk, `storage.disks[${i}]`)),
        ...raid.flatMap((array, i) => raidErrors(array, `storage.raid[${i}]`)),
        ...luks.flatMap((device, i) => luksErrors(device, `storage.luks[${i}]`)),
        ...filesystems.flatMap((filesystem, i) => filesystemErrors(filesystem, `storage.filesystems[${i}]`)),
    ];
}

function partitionTableErrors({ device, partitions = [] }: Disk, at: string): string[] {
    const takesAnyNumber = partitions.some(({ number }) => !number);
    const removesOne = partitions.some(({ shouldExist }) => shouldExist === false);
    return [
        ...pathErrors(`${at}.device`, device),
        ...mustBe(
            !(takesAnyNumber && removesOne),
            `${at}.partitions`,
            "numbered, because one is to be removed",
            partitions.map(({ number }) => number ?? 0),
        ),
        ...partitions.flatMap((partition, i) => {
            const path = `${at}.partitions[${i}]`;
            const before = partitions.slice(0, i);
            const { label, startMiB } = partition;
            return [
                ...partitionErrors(partition, path),
                ...mustBe(
                    typeof label !== "string" || !before.some((other) => other.label === label),
                    `${path}.label`,
                    "unique on its disk",
                    label,
                ),
                ...mustBe(
                    !before.some((other) => overlap(partition, other)),
                    `${path}.startMiB`,
                    "outside of the partitions before it",
                    startMiB,
                ),
            ];
        }),
    ];
}

function overlap(a: Partition, b: Partition): boolean {
    // A start or size of 0 is chosen on the machine.
    if (!a.startMiB || !b.startMiB || typeof a.sizeMiB !== "number" || typeof b.sizeMiB !== "number") {
        return false;
    }
    const lastOf = (start: number, size: number) => (size === 0 ? start : start + size - 1);
    return a.startMiB <= lastOf(b.startMiB, b.sizeMiB) && b.startMiB <= lastOf(a.startMiB, a.sizeMiB);
}

function partitionErrors(partition: Partition, at: string): string[] {
    const { number, label, shouldExist, typeGuid, guid: id, startMiB, sizeMiB } = partition;
    const isDescribed = [label, startMiB, sizeMiB].some((value) => value !== undefined && value !== null);
    const isAbsent = shouldExist === false;
    return [
        ...mustBe(!!number || typeof label === "string", `${at}.number`, "set without a label", number),
        ...mustBe(
            !isAbsent || !(isDescribed || typeGuid || id),
            at,
            "a number only where shouldExist is false",
            partition,
        ),
        ...mustBe(Buffer.byteLength(label ?? "") <= 36, `${at}.label`, "at most 36 bytes", label),
        ...mustBe(!label?.includes(":"), `${at}.label`, "without :", label),
        ...mustBe(guid.test(id ?? ""), `${at}.guid`, "a GUID", id),
        ...mustBe(guid.test(typeGuid ?? ""), `${at}.typeGuid`, "a GUID", typeGuid),
    ];
}

function raidErrors({ level, devices = [], spares }: Raid, at: string): string[] {
    const levels = [...stripedLevels, ...redundantLevels];
    return [
        ...mustBe(levels.includes(level ?? ""), `${at}.level`, `one of ${levels.join(", ")}`, level),
        ...mustBe(!spares || !stripedLevels.includes(level ?? ""), `${at}.spares`, `0 for level ${level}`, spares),
        ...mustBe(devices.length > 0, `${at}.devices`, "at least one device", devices),
        ...devices.flatMap((device, i) => pathErrors(`${at}.devices[${i}]`, device)),
    ];
}

function luksErrors({ name, label, device, keyFile, clevis = {}, cex }: Luks, at: string): string[] {
    const { custom = {}, tang = [], tpm2, threshold } = clevis;
    const hasOwnPins = tang.length > 0 || !!tpm2 || !!threshold;
    const isCustom = !!custom.pin || !!custom.config || !!custom.needsNetwork;
    const hasOtherKeys = hasOwnPins || !!custom.pin || !!keyFile?.source;
    return [
        ...mustBe(!name.includes("/"), `${at}.name`, "without /", name),
        ...mustBe(Buffer.byteLength(label ?? "") <= 47, `${at}.label`, "at most 47 bytes", label),
        ...pathErrors(`${at}.device`, device ?? ""),
        ...resourceErrors(`${at}.keyFile`, keyFile),
        ...conflict(!!custom.pin && hasOwnPins, `${at}.clevis.custom`, "tang, tpm2 and threshold", custom),
        ...mustBe(
            !isCustom || /^(?:tpm2|tang|sss)$/.test(custom.pin ?? ""),
            `${at}.clevis.custom.pin`,
            "tpm2, tang or sss",
            custom.pin,
        ),
        ...mustBe(!isCustom || !!custom.config, `${at}.clevis.custom.config`, "set", custom.config),
        ...tang.flatMap(({ url = "", thumbprint, advertisement }, i) => [
            ...mustBe(/^https?:/.test(url) && isUrl(url), `${at}.clevis.tang[${i}].url`, "an http: or https: URL", url),
            ...mustBe(!!thumbprint, `${at}.clevis.tang[${i}].thumbprint`, "set", thumbprint),
            ...mustBe(isJson(advertisement || "{}"), `${at}.clevis.tang[${i}].advertisement`, "JSON", advertisement),
        ]),
        ...conflict(cex?.enabled === true && hasOtherKeys, `${at}.cex`, "clevis and keyFile", cex),
    ];
}

function filesystemErrors(filesystem: Filesystem, at: string): string[] {
    const { path, device, format, label, uuid, wipeFilesystem, mountOptions = [], options = [] } = filesystem;
    const needsFormat = !!(path || label || uuid || wipeFilesystem || mountOptions.length || options.length);
    const formats = Object.keys(labelLengths);
    const longest = labelLengths[format as keyof typeof labelLengths] ?? Number.POSITIVE_INFINITY;
    return [
        ...(path ? pathErrors(`${at}.path`, path) : []),
        ...pathErrors(`${at}.device`, device),
        ...mustBe(format ? formats.includes(format) : !needsFormat, `${at}.format`, formats.join(" or "), format),
        ...mustBe(Buffer.byteLength(label ?? "") <= longest, `${at}.label`, `at most ${longest} bytes`, label),
    ];
}

function isJson(text: string): boolean {
    try {
        JSON.parse(text);
        return true;
    } catch {
        return false;
    }
}
