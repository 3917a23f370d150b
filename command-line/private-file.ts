import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a file atomically, readable by its owner only, in a folder accessible by its owner only. */
export function writePrivate(path: string, contents: string | Buffer): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, contents, { mode: 0o600 });
    renameSync(temporary, path);
}
