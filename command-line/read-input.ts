import { readFileSync } from "node:fs";
import { UsageError } from "./parse";

/**
 * Contents of a file that a user named.
 *
 * @param what - the option or argument: `--events`
 * @throws UsageError if it cannot be read
 */
export function readInput(what: string, path: string): Buffer {
    try {
        return readFileSync(path);
    } catch (error) {
        throw new UsageError(`${what} must be a readable file (got ${path}): ${(error as Error).message}`);
    }
}
