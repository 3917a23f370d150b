import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Where a file of the cache comes from: its project's release, or a build on this machine. */
export type Source = "official" | "built";

/** Folder of everything fetched or built: outside the checkout, shared by all clusters. */
export function cacheDir(): string {
    return process.env.TRADEWIND_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "tradewind");
}

/** The files that nodes fetch, by their path in the file mirror. */
export function fileIndex(): Readonly<Record<string, { sha256: string; source: Source }>> {
    const path = join(cacheDir(), "files", "index.json");
    if (!existsSync(path)) {
        throw new Error(`the cache is empty, run npm run artifacts -- fill (looked for ${path})`);
    }
    return JSON.parse(readFileSync(path, "utf8"));
}

/** Path of a part's program in the cache, relative to its folder. */
export function binaryPlace(part: { name: string; version: string }, binary: string): string {
    return `bin/${part.name}/${part.version}/${binary}`;
}
