import type { Config } from "../config";
import { isObject, type Json, keyField, keyOf, listsWithSameKeys, mayRepeat } from "../lists";
import { mustBe } from "./error";

/** Entries with the key of an earlier entry in the same list or in one that shares its keys. */
export function duplicateErrors(config: Config): string[] {
    const owners = new Map<string, string>();
    return visit(config as unknown as Json, "", "", owners);
}

/** `path` has no indexes and identifies a kind of list, `at` has them and identifies one list. */
function visit(value: Json | undefined, path: string, at: string, owners: Map<string, string>): string[] {
    if (Array.isArray(value)) {
        return value.flatMap((item, index) => [
            ...(mayRepeat(path) ? [] : claim(item, path, at, index, owners)),
            ...visit(item, path, `${at}[${index}]`, owners),
        ]);
    }
    if (!isObject(value)) {
        return [];
    }
    return Object.entries(value).flatMap(([key, item]) =>
        visit(item, path ? `${path}.${key}` : key, at ? `${at}.${key}` : key, owners),
    );
}

function claim(item: Json, path: string, at: string, index: number, owners: Map<string, string>): string[] {
    const entry = `${at}[${index}]`;
    const key = keyOf(item, path);
    // Lists that share keys are siblings, so their parent's path and their names identify the set of keys.
    const parent = at.slice(0, at.lastIndexOf("."));
    const claimed = `${parent} ${listsWithSameKeys(path).join()} ${key}`;
    const owner = owners.get(claimed);
    if (owner === undefined) {
        owners.set(claimed, entry);
    }
    const field = isObject(item) ? `${entry}.${keyField(path)}` : entry;
    return mustBe(owner === undefined, field, `unique (${owner} has it too)`, key);
}
