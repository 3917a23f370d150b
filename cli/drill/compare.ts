import { isDeepStrictEqual } from "node:util";
import { ignoredFields, ignoredObjects } from "./ignored";
import { nameOf, type StoredObject } from "./objects";

export type Difference =
    | { readonly object: string; readonly kind: "missing" | "extra" }
    /** Paths alone: the values may be secret. */
    | { readonly object: string; readonly kind: "changed"; readonly paths: readonly string[] };

export interface Comparison {
    /** How many objects were compared. */
    readonly compared: number;
    /** How many there were before that are not compared. */
    readonly ignored: number;
    readonly differences: readonly Difference[];
}

/** Compares all that was there before with what is there after. */
export function compare(before: readonly StoredObject[], after: readonly StoredObject[]): Comparison {
    const [old, now] = [byKey(before), byKey(after)];
    const differences: Difference[] = [];
    for (const [key, object] of old) {
        const other = now.get(key);
        if (other === undefined) {
            differences.push({ object: nameOf(object), kind: "missing" });
            continue;
        }
        const paths = changedPaths(object, other).filter((path) => !isIgnored(object, path));
        if (paths.length > 0) {
            differences.push({ object: nameOf(object), kind: "changed", paths: paths.map((path) => path.join(".")) });
        }
    }
    const extra = [...now].filter(([key]) => !old.has(key));
    differences.push(...extra.map(([, object]) => ({ object: nameOf(object), kind: "extra" as const })));
    return { compared: old.size, ignored: before.length - old.size, differences };
}

function byKey(objects: readonly StoredObject[]): Map<string, StoredObject> {
    const counted = objects.filter((object) => !ignoredObjects.some(({ matches }) => matches(object)));
    return new Map(counted.map((object) => [`${object.apiVersion} ${nameOf(object)}`, object]));
}

function isIgnored(object: StoredObject, path: readonly string[]): boolean {
    return ignoredFields.some(
        ({ of = () => true, paths }) =>
            of(object) && paths.some((ignored) => ignored.every((part, index) => path[index] === part)),
    );
}

/** Where two values differ, as deep as both have something to go into. */
function changedPaths(before: unknown, after: unknown, path: readonly string[] = []): string[][] {
    if (isDeepStrictEqual(before, after)) {
        return [];
    }
    if (!isRecord(before) || !isRecord(after)) {
        return [[...path]];
    }
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => changedPaths(before[key], after[key], [...path, key]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
