import { createHash } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { get } from "../../../clients/http";
import { describeError } from "../../../clients/kubernetes/api-error";
import { syncDirectory } from "../../harness/durable";
import { shownUrl } from "../../harness/shown-url";

/** For a whole file from one URL. */
const timeoutMilliseconds = 600_000;

/** Downloads an executable from the first URL that has it. Rejects content with another hash. */
export async function download(urls: readonly string[], sha256: string, path: string): Promise<void> {
    const problems: string[] = [];
    for (const url of urls) {
        try {
            await downloadFrom(url, sha256, path);
            return;
        } catch (error) {
            problems.push(`${shownUrl(url)}: ${describeError((error as Error).cause ?? error)}`);
        }
    }
    throw new Error(`could not download ${path}: ${problems.join("; ") || "it has no URLs"}`);
}

async function downloadFrom(url: string, sha256: string, path: string): Promise<void> {
    const body = await get(url, AbortSignal.timeout(timeoutMilliseconds));
    const half = `${path}.part`;
    await rm(half, { force: true });
    const file = await open(half, "wx", 0o755);
    try {
        const hash = createHash("sha256");
        for await (const chunk of body) {
            hash.update(chunk);
            await file.writeFile(chunk);
        }
        const found = hash.digest("hex");
        if (found !== sha256) {
            throw new Error(`has SHA-256 ${found}, not ${sha256}`);
        }
        await file.sync();
    } catch (error) {
        await rm(half, { force: true });
        throw error;
    } finally {
        await file.close();
    }
    await rename(half, path);
    syncDirectory(dirname(path));
}

/** Checks files against their pinned hashes, and reads each only once while it is unchanged. */
export class FileHashes {
    readonly #known = new Map<string, { readonly stamp: string; readonly hash: string }>();

    /** Whether a file exists and has that SHA-256. */
    async has(path: string, sha256: string): Promise<boolean> {
        return existsSync(path) && (await this.#hash(path)) === sha256;
    }

    async #hash(path: string): Promise<string> {
        const { mtimeMs, ctimeMs, size, ino } = statSync(path);
        const stamp = [mtimeMs, ctimeMs, size, ino].join(" ");
        const known = this.#known.get(path);
        if (known?.stamp === stamp) {
            return known.hash;
        }
        const hash = createHash("sha256");
        for await (const chunk of createReadStream(path)) {
            hash.update(chunk);
        }
        const found = { stamp, hash: hash.digest("hex") };
        this.#known.set(path, found);
        return found.hash;
    }
}
