import { isDeepStrictEqual } from "node:util";
import { type Change, type Diff, isObject } from "../plugin";
import { isAnnotated } from "./annotations";
import { commonIndexes } from "./common-indexes";
import type { Config } from "./config";
import { replaces, replacesPatch } from "./immutable";
import type { KubernetesObject } from "./object";
import { reconcile } from "./reconcile";

export interface Sides {
    readonly inputs: KubernetesObject;
    readonly oldInputs: KubernetesObject;
    /** As last seen on the cluster. */
    readonly live: KubernetesObject;
}

/** What an update would change, and whether it takes a new object. */
export function diff({ inputs, oldInputs, live }: Sides, config: Config, isPatch: boolean): Diff {
    const before = reconcile(oldInputs, live, "keep");
    const isReplacing = isPatch ? replacesPatch : replaces(inputs, config);
    const changes = compare(canonical(before, inputs), inputs, isReplacing);
    return { changes, deleteBeforeReplace: hasSameName(inputs, live) };
}

// An object with a fixed name has to go before its successor can come.
function hasSameName(inputs: KubernetesObject, live: KubernetesObject): boolean {
    const { name, namespace } = inputs.metadata ?? {};
    const isSamePlace = !namespace || !live.metadata?.namespace || namespace === live.metadata.namespace;
    return !isAnnotated(inputs, "autonamed") && name === live.metadata?.name && isSamePlace;
}

// A namespace that was left out is the default one.
function canonical(before: KubernetesObject, after: KubernetesObject): KubernetesObject {
    const { metadata } = before;
    if (!metadata || metadata.namespace || after.metadata?.namespace !== "default") return before;
    return { ...before, metadata: { ...metadata, namespace: "default" } };
}

/** Changes by property path. In lists, what is the same is matched first, so that inserting one shows as just that. */
export function compare(before: object, after: object, isReplacing: (path: string) => boolean): Diff["changes"] {
    const changes: Record<string, Change> = {};
    walk(before, after, "", (path, kind) => {
        changes[path] = { kind, replace: isReplacing(path) };
    });
    return changes;
}

type Add = (path: string, kind: Change["kind"]) => void;

function walk(before: unknown, after: unknown, path: string, add: Add): void {
    if (isDeepStrictEqual(before, after)) return;
    if (Array.isArray(before) && Array.isArray(after)) {
        const isPlain = ![...before, ...after].some((item) => typeof item === "object");
        (isPlain ? walkPlainList : walkList)(before, after, path, add);
    } else if (isObject(before) && isObject(after)) {
        for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
            walk(before[key], after[key], join(path, key), add);
        }
    } else add(path, before === undefined ? "add" : after === undefined ? "delete" : "update");
}

function walkList(before: unknown[], after: unknown[], path: string, add: Add): void {
    const shorter = Math.min(before.length, after.length);
    let start = 0;
    while (start < shorter && isDeepStrictEqual(before[start], after[start])) start++;
    let end = 0;
    while (end < shorter - start && isDeepStrictEqual(before.at(-1 - end), after.at(-1 - end))) end++;
    for (let i = start; i < shorter - end; i++) walk(before[i], after[i], `${path}[${i}]`, add);
    for (let i = shorter - end; i < before.length - end; i++) add(`${path}[${i}]`, "delete");
    for (let i = shorter - end; i < after.length - end; i++) add(`${path}[${i}]`, "add");
}

// Flags and arguments: what went is named by its old index, what came by its new one.
function walkPlainList(before: unknown[], after: unknown[], path: string, add: Add): void {
    const kept = commonIndexes(before, after);
    const [keptBefore, keptAfter] = [new Set(kept.map(([i]) => i)), new Set(kept.map(([, j]) => j))];
    for (let i = 0; i < Math.max(before.length, after.length); i++) {
        const isGone = i < before.length && !keptBefore.has(i);
        const isNew = i < after.length && !keptAfter.has(i);
        if (isGone || isNew) add(`${path}[${i}]`, isGone && isNew ? "update" : isNew ? "add" : "delete");
    }
}

// Pulumi property paths quote keys that hold their own punctuation.
function join(path: string, key: string): string {
    if (/[.["\]]/.test(key) || key === "") return `${path}[${JSON.stringify(key)}]`;
    return path ? `${path}.${key}` : key;
}
