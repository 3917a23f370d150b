import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** The SHA-256 of a file in hexadecimal, read in chunks. */
export async function sha256File(path: string): Promise<string> {
    const hash = createHash("sha256");
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
    return hash.digest("hex");
}

/** A short name for a set of inputs; the same inputs give the same name. */
export function keyOf(...inputs: unknown[]): string {
    return createHash("sha256").update(JSON.stringify(inputs)).digest("hex").slice(0, 16);
}

/** The text of our own source files that determine an item's contents, so that changing them triggers a rebuild. */
export function codeOf(...names: string[]): string[] {
    return names.map((name) => readFileSync(join(__dirname, `${name}.ts`), "utf8"));
}

/**
 * Finds a file's SHA-256 in what a project publishes: a bare digest, or a list with file names. Undefined if the list
 * does not contain the file.
 */
export function findChecksum(published: string, fileName: string): string | undefined {
    const lines = published.split("\n").flatMap((line) => {
        const [, digest, name] = /^([0-9a-f]{64})(?:\s+\*?(\S+))?\s*$/i.exec(line) ?? [];
        return digest ? [{ digest: digest.toLowerCase(), name }] : [];
    });
    const named = lines.find(({ name }) => name?.split("/").pop() === fileName);
    const [first] = lines;
    return (named ?? (lines.length === 1 && !first?.name ? first : undefined))?.digest;
}
