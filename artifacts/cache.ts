import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Source } from "./item";
import { e2eTests, type KubernetesVersion, kubernetes, node, parts, pause, testParts, versions } from "./lock";
import { binaryPlace } from "./part-items";

/** Path of a program in the cache, such as `pulumi`, `kubectl` or `etcdctl`. */
export function programPath(program: string, kubernetesVersion: KubernetesVersion = versions.kubernetes): string {
    const part = [kubernetes(kubernetesVersion), ...Object.values({ ...parts, ...testParts }), e2eTests].find(
        ({ go }) => go.binaries[program],
    );
    const single = [node, pause].find(({ name }) => name === program);
    const owner = part ?? single;
    if (!owner) {
        throw new Error(`program must be one of the lock's binaries, got ${program}`);
    }
    return join(cacheDir(), binaryPlace(owner, program));
}

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
