/** How Ignition tells the entries of its lists apart. Source: `Key`, `IgnoreDuplicates` and `MergedKeys` of its types. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Lists whose entries may repeat, by their path without indexes. They are joined end to end. */
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

/** The paths of the lists in which a key of this list may not be either, this one among them. */
export function listsWithSameKeys(path: string): readonly string[] {
    return sharing.find((paths) => paths.includes(path)) ?? [path];
}

/** The field by which entries of a list are told apart. */
export function keyField(path: string): string {
    return keys[lastPart(path)] ?? "name";
}

/** What tells an entry from the others of its list. */
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
