import {
    closeSync,
    existsSync,
    fchmodSync,
    fchownSync,
    fsyncSync,
    openSync,
    renameSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

export interface DurableOptions {
    /** @default 0o600 */
    readonly mode?: number;
    /** Directory of the half-written file, on the same file system. @default - the file's own */
    readonly scratch?: string;
    /** @default - the agent's own user and group */
    readonly owner?: { readonly uid: number; readonly gid: number };
}

/** Writes a file that is whole or not there, even if the power fails now. */
export function writeDurably(
    path: string,
    content: string | Uint8Array,
    { mode = 0o600, scratch = dirname(path), owner }: DurableOptions = {},
): void {
    const half = join(scratch, `.${basename(path)}.half`);
    // What a killed run left may have another mode, which opening it would keep.
    rmSync(half, { force: true });
    const descriptor = openSync(half, "wx", mode);
    try {
        writeFileSync(descriptor, content);
        if (owner !== undefined) {
            // Whoever asks for an owner means the mode as it is, without the umask.
            fchmodSync(descriptor, mode);
            fchownSync(descriptor, owner.uid, owner.gid);
        }
        fsyncSync(descriptor);
    } finally {
        closeSync(descriptor);
    }
    renameSync(half, path);
    syncDirectory(dirname(path));
}

/** Points a symbolic link elsewhere at once: it never dangles in between. */
export function replaceLink(path: string, target: string): void {
    const next = join(dirname(path), `.${basename(path)}.half`);
    rmSync(next, { force: true });
    symlinkSync(target, next);
    renameSync(next, path);
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
