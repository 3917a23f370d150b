import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { describeError } from "../common/api-error";
import { syncDirectory } from "../common/durable";
import { get } from "../common/http-get";

/** For the whole of a file from one URL. */
const timeoutMilliseconds = 600_000;

/** Gets an executable from the first URL that has it. Other contents than those of the hash are refused. */
export async function download(urls: readonly string[], sha256: string, path: string): Promise<void> {
    const problems: string[] = [];
    for (const url of urls) {
        try {
            await downloadFrom(url, sha256, path);
            return;
        } catch (error) {
            problems.push(`${url}: ${describeError((error as Error).cause ?? error)}`);
        }
    }
    throw new Error(`no source gave ${path}: ${problems.join("; ") || "there is none"}`);
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
            throw new Error(`has the SHA-256 ${found}, not ${sha256}`);
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
