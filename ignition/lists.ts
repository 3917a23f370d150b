/** Keys of entries in Ignition's lists. Source: `Key`, `IgnoreDuplicates` and `MergedKeys` of its types. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Lists whose entries may repeat, by path without indexes. They are concatenated. */
const repeating = new Set([
    "storage.files.append",
    "storage.filesystems.options",
    "storage.filesystems.mountOptions",
    "storage.raid.options",
    "storage.luks.options",
]);

/** Lists that share one set of keys. */
const sharing = [
    ["storage.files", "storage.directories", "storage.links"],
    ["kernelArguments.shouldExist", "kernelArguments.shouldNotExist"],
];

const keys: Readonly<Record<string, string>> = {
    disks: "device",
    filesystems: "device",
    files: "path",
    directories: "path",
    links: "path",
    merge: "source",
    certificateAuthorities: "source",
    tang: "url",
};

export function mayRepeat(path: string): boolean {
    return repeating.has(path);
}

/** Paths of the lists that may not share a key with this list, including itself. */
export function listsWithSameKeys(path: string): readonly string[] {
    return sharing.find((paths) => paths.includes(path)) ?? [path];
}

/** The field that identifies entries of a list. */
export function keyField(path: string): string {
    return keys[lastPart(path)] ?? "name";
}

/** The key of an entry in its list. */
export function keyOf(item: Json, path: string): string {
    if (!isObject(item)) {
        return String(item ?? "");
    }
    if (path === "storage.disks.partitions") {
        return item.number ? `number:${item.number}` : `label:${item.label ?? ""}`;
    }
    return String(item[keyField(path)] ?? "");
}

export function lastPart(path: string): string {
    return path.slice(path.lastIndexOf(".") + 1);
}

export function isObject(value: unknown): value is JsonObject {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
