import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "./cache";
import type { Source } from "./item";

/** The files that nodes fetch, by their path in the file mirror. */
export function fileIndex(): Readonly<Record<string, { sha256: string; source: Source }>> {
    const path = join(cacheDir(), "files", "index.json");
    if (!existsSync(path)) {
        throw new Error(`the cache is empty, run npm run artifacts -- fill (looked for ${path})`);
    }
    return JSON.parse(readFileSync(path, "utf8"));
}
