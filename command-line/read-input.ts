import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { UsageError } from "./parse";

/**
 * Contents of a file that a user named.
 *
 * @param what - the option or argument: `--events`
 * @throws UsageError if it cannot be read
 */
export function readInput(what: string, path: string): Buffer {
    try {
        const { size } = statSync(path);
        return size > mostAtOnce ? readLarge(path, size) : readFileSync(path);
    } catch (error) {
        throw new UsageError(`${what} must be a readable file (got ${path}): ${(error as Error).message}`);
    }
}

/** Node reads less than 2 GiB at once, and snapshots may be larger. Unit: bytes. */
const mostAtOnce = 2 ** 30;

function readLarge(path: string, size: number): Buffer {
    const contents = Buffer.alloc(size);
    const descriptor = openSync(path, "r");
    try {
        for (let at = 0; at < size; ) {
            const count = readSync(descriptor, contents, at, Math.min(size - at, mostAtOnce), at);
            if (count === 0) return contents.subarray(0, at);
            at += count;
        }
        return contents;
    } finally {
        closeSync(descriptor);
    }
}
