import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFile } from "./replace-file";

/** Writes a file as {@link replaceFile} does, readable by its owner only, in a folder accessible by its owner only. */
export function writePrivate(path: string, contents: string | Buffer): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, contents, 0o600);
}
