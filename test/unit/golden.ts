import { AssertionError } from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

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
