import { type Config, specVersion } from "./config";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** Lists that are joined end to end, by their path without indexes. All others are merged by key. */
const appended = new Set([
    "storage.files.append",
    "storage.filesystems.options",
    "storage.filesystems.mountOptions",
    "storage.raid.options",
    "storage.luks.options",
    "storage.luks.openOptions",
]);

/** Lists that share one set of keys: an entry in one of a later config removes that key from the others. */
const sharedKeys = [
    ["storage.files", "storage.directories", "storage.links"],
    ["kernelArguments.shouldExist", "kernelArguments.shouldNotExist"],
];

/**
 * Merges configs as Ignition's `ignition.config.merge` does: what a later config says wins.
 *
 * Lists are merged by key (path, name, device …), other values are replaced.
 * Source: config/merge/merge.go of github.com/coreos/ignition/v2.
 */
export function merge(base: Config, ...overrides: Config[]): Config {
    const merged = overrides.reduce<JsonObject>(
        (parent, child) => mergeObjects(parent, child as unknown as JsonObject, ""),
        base as unknown as JsonObject,
    ) as unknown as Config;
    return { ...merged, ignition: { ...merged.ignition, version: specVersion } };
}

function mergeObjects(parent: JsonObject, child: JsonObject, path: string): JsonObject {
    const result: JsonObject = {};
    for (const key of new Set([...Object.keys(parent), ...Object.keys(child)])) {
        const at = path ? `${path}.${key}` : key;
        const value = mergeValues(parent[key], child[key], at, child);
        if (value !== undefined) {
            result[key] = value;
        }
    }
    return result;
}

function mergeValues(
    parent: Json | undefined,
    child: Json | undefined,
    path: string,
    siblings: JsonObject,
): Json | undefined {
    if (Array.isArray(parent) || Array.isArray(child)) {
        return mergeLists((parent ?? []) as Json[], (child ?? []) as Json[], path, siblings);
    }
    if (child === undefined || child === null) {
        return parent;
    }
    if (isObject(parent) && isObject(child)) {
        return mergeObjects(parent, child, path);
    }
    return child;
}

function mergeLists(parent: Json[], child: Json[], path: string, siblings: JsonObject): Json[] {
    if (appended.has(path)) {
        return [...parent, ...child];
    }
    const inChild = new Map(child.map((item) => [keyOf(item, path), item]));
    const elsewhere = keysOfOtherLists(path, siblings);
    const kept = parent
        .filter((item) => inChild.has(keyOf(item, path)) || !elsewhere.has(keyOf(item, path)))
        .filter((item) => !isRemovedHeader(inChild.get(keyOf(item, path)), path))
        .map((item) => {
            const other = inChild.get(keyOf(item, path));
            return isObject(item) && isObject(other) ? mergeObjects(item, other, path) : item;
        });
    const inParent = new Set(parent.map((item) => keyOf(item, path)));
    return [...kept, ...child.filter((item) => !inParent.has(keyOf(item, path)))];
}

/** A header without a value in a later config takes the header away. */
function isRemovedHeader(item: Json | undefined, path: string): boolean {
    return path.endsWith("httpHeaders") && isObject(item) && (item.value ?? null) === null;
}

function keysOfOtherLists(path: string, siblings: JsonObject): Set<string> {
    const others = sharedKeys.find((paths) => paths.includes(path))?.filter((other) => other !== path) ?? [];
    const lists = others.map((other) => siblings[other.slice(other.lastIndexOf(".") + 1)]);
    return new Set(lists.flatMap((list) => (Array.isArray(list) ? list.map((item) => keyOf(item, path)) : [])));
}

function keyOf(item: Json, path: string): string {
    if (!isObject(item)) {
        return String(item);
    }
    if (path === "storage.disks.partitions") {
        return item.number ? `number:${item.number}` : `label:${item.label ?? ""}`;
    }
    // A filesystem has a path too, but its device tells it from others.
    return String(item.device ?? item.path ?? item.name ?? item.source ?? item.url ?? "");
}

function isObject(value: Json | undefined): value is JsonObject {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
