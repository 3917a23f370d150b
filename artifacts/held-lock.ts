import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";

/**
 * Runs something while no other process runs something under the same lock, without giving way to anything else here.
 * The kernel holds it by the open file, so that it is gone with this process, however that ends.
 */
export function underLock<T>(file: string, run: () => T): T {
    const lock = openSync(file, "a", 0o600);
    try {
        // It locks what both have open, and what this process keeps open.
        const { status, error } = spawnSync("flock", ["3"], { stdio: ["ignore", "ignore", "inherit", lock] });
        if (status !== 0) throw new Error(`flock of ${file} ended with ${error?.message ?? status}`);
        return run();
    } finally {
        closeSync(lock);
    }
}
