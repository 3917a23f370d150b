import { isDeepStrictEqual } from "node:util";
import { isObject } from "./values";

export interface Change {
    readonly kind: "add" | "delete" | "update";
    readonly replace?: boolean;
}

/** Differences by property path (`spec.ports[0].port`); empty means no change. */
export interface Diff {
    readonly changes: Readonly<Record<string, Change>>;
    /** Delete before create if a change requires replacement. @default false */
    readonly deleteBeforeReplace?: boolean;
    /** The engine shows the recorded outputs as the old values. @default false: it shows the recorded inputs */
    readonly isOfOutputs?: boolean;
}

/**
 * Compares two values deeply and returns every path where they differ. `replace` decides whether a path requires
 * replacement.
 */
export function compare(before: object, after: object, replace: (path: string) => boolean = () => false): Diff {
    const changes: Record<string, Change> = {};
    const add = (path: string, kind: Change["kind"]) => {
        changes[path] = replace(path) ? { kind, replace: true } : { kind };
    };
    walk(before, after, "", add);
    return { changes };
}

function walk(before: unknown, after: unknown, path: string, add: (path: string, kind: Change["kind"]) => void): void {
    if (isDeepStrictEqual(before, after)) return;
    if (Array.isArray(before) && Array.isArray(after)) {
        for (let i = 0; i < Math.max(before.length, after.length); i++) walk(before[i], after[i], `${path}[${i}]`, add);
    } else if (isObject(before) && isObject(after)) {
        for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
            walk(before[key], after[key], join(path, key), add);
        }
    } else if (before !== undefined || after !== undefined) {
        add(path, before === undefined ? "add" : after === undefined ? "delete" : "update");
    }
}

// Pulumi property paths quote keys that contain punctuation.
function join(path: string, key: string): string {
    if (/[.["\]]/.test(key) || key === "") return `${path}[${JSON.stringify(key)}]`;
    return path ? `${path}.${key}` : key;
}

/** The top-level property a path is in. */
export function topLevel(path: string): string {
    const quoted = /^\["((?:[^"\\]|\\.)*)"\]/.exec(path);
    if (quoted) return JSON.parse(`"${quoted[1]}"`);
    const [name = ""] = path.split(/[.[]/, 1);
    return name;
}
