import { AssertionError } from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { diffArrays } from "diff";

/**
 * Compares a value with the file `golden/<name>.golden.json` (`.txt` for text) in a test's folder.
 *
 * `UPDATE_GOLDEN=1` writes the files instead; the change is then reviewed like code.
 */
export function golden(folder: string, name: string, value: unknown): void {
    const isText = typeof value === "string";
    const path = join(folder, "golden", `${name}.golden.${isText ? "txt" : "json"}`);
    const actual = isText ? value : `${JSON.stringify(value, null, 4)}\n`;
    if (process.env.UPDATE_GOLDEN) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, actual);
        return;
    }
    const expected = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (actual !== expected) {
        const shown = relative(process.cwd(), path);
        const message = `${shown} differs: if that is intended, run the test with UPDATE_GOLDEN=1 and review the diff`;
        // Mocha shows a line-by-line diff of the two.
        throw new AssertionError({ message, actual, expected, operator: "strictEqual" });
    }
}

/** Compares what differs between two values, line by line of `path: value`, with the file `golden/<name>.golden.txt`. */
export function goldenChange(folder: string, name: string, base: unknown, changed: unknown): void {
    const lines = diffArrays(leaves("", base), leaves("", changed))
        .filter(({ added, removed }) => added || removed)
        .flatMap(({ added, value }) => value.map((line) => `${added ? "+" : "-"} ${line}\n`));
    golden(folder, name, lines.join(""));
}

/** `DaemonSet flannel.spec.containers[flannel].args[]: "--v=1"`: list items by name, not by index. */
function leaves(path: string, value: unknown): string[] {
    if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
        const text = typeof value === "string" && value.includes("\n") ? value.split("\n") : [value];
        return text.map((line) => `${path}: ${JSON.stringify(line)}`);
    }
    if (Array.isArray(value)) return value.flatMap((item) => leaves(`${path}${itemName(item)}`, item));
    return Object.entries(value).flatMap(([key, item]) => leaves(path === "" ? key : `${path}.${key}`, item));
}

/** Without a hash of contents, so that objects are compared that differ in it. */
function itemName(item: { kind?: string; name?: string; metadata?: { name: string } } | null): string {
    if (!item?.metadata) return `[${item?.name ?? ""}]`;
    return `${item.kind} ${item.metadata.name.replace(/-[0-9a-f]{16}$/, "-<hash>")}`;
}
