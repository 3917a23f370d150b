import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a file that only its owner may read, whole or not at all, in a folder that only they may enter. */
export function writePrivate(path: string, contents: string | Buffer): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, contents, { mode: 0o600 });
    renameSync(temporary, path);
}
