import { type Config, specVersion } from "./config";
import { isObject, type Json, type JsonObject, keyOf, lastPart, listsWithSameKeys, mayRepeat } from "./lists";

/**
 * Merges configs like Ignition's `ignition.config.merge`: later configs take precedence.
 *
 * Lists are merged by key (path, name, device …), other values are replaced. A file keeps its `compression` and
 * `verification` if a later config omits them, as in Ignition.
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
        const list = mergeLists((parent ?? []) as Json[], (child ?? []) as Json[], path, siblings);
        return list.length > 0 ? list : undefined;
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
    if (mayRepeat(path)) {
        return [...parent, ...child];
    }
    const key = (item: Json) => keyOf(item, path);
    const inChild = new Map(child.map((item) => [key(item), item]));
    const elsewhere = keysOfOtherLists(path, siblings);
    const inParent = new Set<string>();
    const kept = parent.flatMap((item) => {
        const own = key(item);
        inParent.add(own);
        const other = inChild.get(own);
        if (other === undefined) return elsewhere.has(own) ? [] : [item];
        if (isRemovedHeader(other, path)) return [];
        return [isObject(item) && isObject(other) ? mergeObjects(item, other, path) : item];
    });
    return [...kept, ...child.filter((item) => !inParent.has(key(item)))];
}

/** A header without a value in a later config removes the header. */
function isRemovedHeader(item: Json | undefined, path: string): boolean {
    return lastPart(path) === "httpHeaders" && isObject(item) && (item.value ?? null) === null;
}

/** An entry of a later config removes its key from the lists that share its set of keys. */
function keysOfOtherLists(path: string, siblings: JsonObject): Set<string> {
    const others = listsWithSameKeys(path).filter((other) => other !== path);
    const lists = others.map((other) => siblings[lastPart(other)]);
    return new Set(lists.flatMap((list) => (Array.isArray(list) ? list.map((item) => keyOf(item, path)) : [])));
}
