import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export interface DurableOptions {
    /** @default 0o600 */
    readonly mode?: number;
    /** Directory of the half-written file, on the same file system. @default - the file's own */
    readonly scratch?: string;
}

/** Writes a file that is whole or not there, even if the power fails now. */
export function writeDurably(
    path: string,
    text: string,
    { mode = 0o600, scratch = dirname(path) }: DurableOptions = {},
): void {
    const half = join(scratch, `.${basename(path)}.half`);
    // What a killed run left may have another mode, which opening it would keep.
    rmSync(half, { force: true });
    const descriptor = openSync(half, "wx", mode);
    try {
        writeSync(descriptor, text);
        fsyncSync(descriptor);
    } finally {
        closeSync(descriptor);
    }
    renameSync(half, path);
    syncDirectory(dirname(path));
}

/** Removes a file for good: it does not come back after a power cut. Tells whether there was one. */
export function removeDurably(path: string): boolean {
    if (!existsSync(path)) {
        return false;
    }
    rmSync(path);
    syncDirectory(dirname(path));
    return true;
}

/** Makes the names in a directory durable. */
export function syncDirectory(path: string): void {
    const descriptor = openSync(path, "r");
    try {
        fsyncSync(descriptor);
    } finally {
        closeSync(descriptor);
    }
}
