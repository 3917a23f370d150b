import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** SHA-256 of tracked files that differ from the last commit, by path; empty text for deleted ones. */
export type Modified = Readonly<Record<string, string>>;

/** Undefined if the folder is not a checkout, such as an unpacked archive. */
export function modifiedFiles(root: string): Modified | undefined {
    try {
        const options = { cwd: root, encoding: "utf8", stdio: "pipe", maxBuffer: 64 << 20 } as const;
        const names = execFileSync("git", ["diff", "HEAD", "--name-only", "--no-renames", "--relative", "-z"], options);
        return Object.fromEntries(
            names
                .split("\0")
                .filter(Boolean)
                .map((name) => [name, contentHash(join(root, name))]),
        );
    } catch {
        return undefined;
    }
}

function contentHash(path: string): string {
    return existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
}

/** Paths whose state differs, sorted. */
export function changedBetween(before: Modified, after: Modified): string[] {
    const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...paths].filter((path) => before[path] !== after[path]).sort();
}
