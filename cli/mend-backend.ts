import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ClusterState } from "./state";

/**
 * Makes a backend readable again after a crash or a power cut in the middle of a write: the engine's copy of the
 * stack from just before takes the place of one that was not written whole, and half-written sidecar files go.
 */
export function mendBackend({ backend, name }: ClusterState, say: (line: string) => void): void {
    const dir = join(backend, ".pulumi/stacks/tradewind");
    const stack = join(dir, `${name}.json`);
    if (!existsSync(dir)) {
        return;
    }
    for (const file of readdirSync(dir).filter((file) => file.endsWith(".attrs") && !isWhole(join(dir, file)))) {
        rmSync(join(dir, file));
    }
    // One that is gone was removed: the engine replaces it by a rename.
    if (!existsSync(stack) || isWhole(stack) || !isWhole(`${stack}.bak`)) {
        return;
    }
    say("the stack's state was not written whole: going on from the engine's copy of it");
    copyFileSync(`${stack}.bak`, `${stack}.mended`);
    renameSync(`${stack}.mended`, stack);
}

function isWhole(path: string): boolean {
    try {
        JSON.parse(readFileSync(path, "utf8"));
        return true;
    } catch {
        return false;
    }
}
