import {
    closeSync,
    existsSync,
    fchmodSync,
    fchownSync,
    fsyncSync,
    openSync,
    readFileSync,
    renameSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

export interface DurableOptions {
    /** @default 0o600 */
    readonly mode?: number;
    /** Directory of the temporary file, on the same file system. @default - the file's own */
    readonly scratch?: string;
    /** @default - the agent's own user and group */
    readonly owner?: { readonly uid: number; readonly gid: number };
}

/** Writes a file atomically and durably: after a power failure it is complete or absent. */
export function writeDurably(
    path: string,
    content: string | Uint8Array,
    { mode = 0o600, scratch = dirname(path), owner }: DurableOptions = {},
): void {
    const half = join(scratch, `.${basename(path)}.half`);
    // A leftover of a killed run may have another mode, which opening it would keep.
    rmSync(half, { force: true });
    const descriptor = openSync(half, "wx", mode);
    try {
        writeFileSync(descriptor, content);
        if (owner !== undefined) {
            // A caller that sets an owner means this exact mode, without the umask.
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

/** The same, unless the file has that content: a static pod that is written again restarts. Returns whether it wrote. */
export function writeIfOther(path: string, text: string, options?: DurableOptions): boolean {
    if (existsSync(path) && readFileSync(path, "utf8") === text) {
        return false;
    }
    writeDurably(path, text, options);
    return true;
}

/** Changes a symbolic link's target atomically: it never dangles in between. */
export function replaceLink(path: string, target: string): void {
    const next = join(dirname(path), `.${basename(path)}.half`);
    rmSync(next, { force: true });
    symlinkSync(target, next);
    renameSync(next, path);
    syncDirectory(dirname(path));
}

/** Removes a file durably: it does not reappear after a power failure. Returns whether it existed. */
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
