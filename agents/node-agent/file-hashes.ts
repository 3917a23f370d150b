import { createHash } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";

/** Tells of files whether they are what was pinned, and reads each once for as long as it is the same. */
export class FileHashes {
    readonly #known = new Map<string, { readonly seen: string; readonly hash: string }>();

    /** Whether a file is there and has that SHA-256. */
    async has(path: string, sha256: string): Promise<boolean> {
        return existsSync(path) && (await this.#hash(path)) === sha256;
    }

    async #hash(path: string): Promise<string> {
        const { mtimeMs, ctimeMs, size, ino } = statSync(path);
        const seen = [mtimeMs, ctimeMs, size, ino].join(" ");
        const known = this.#known.get(path);
        if (known?.seen === seen) {
            return known.hash;
        }
        const hash = createHash("sha256");
        for await (const chunk of createReadStream(path)) {
            hash.update(chunk);
        }
        const found = { seen, hash: hash.digest("hex") };
        this.#known.set(path, found);
        return found.hash;
    }
}
