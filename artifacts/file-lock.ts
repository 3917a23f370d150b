import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheDir } from "./cache";

/**
 * Takes a lock for this process alone; another holder is waited for, and after a second `onWait` tells of it.
 * The kernel holds it, so that it is gone with its holder, however that ends. @returns gives it back
 */
export async function takeFileLock(file: string, onWait: () => void): Promise<() => void> {
    mkdirSync(dirname(file), { recursive: true });
    const waiting = setTimeout(onWait, 1_000);
    // `cat` ends, and with it the lock, when its standard input closes: with this process.
    const holder = spawn("flock", [file, "sh", "-c", "echo held; exec cat"], { stdio: ["pipe", "pipe", "inherit"] });
    try {
        await new Promise<void>((resolve, reject) => {
            holder.stdout.once("data", () => resolve());
            holder.once("error", (error) =>
                reject(new Error(`flock cannot be run (package util-linux): ${error.message}`)),
            );
            holder.once("exit", (code) => reject(new Error(`flock of ${file} ended with ${code}`)));
        });
    } finally {
        clearTimeout(waiting);
    }
    return () => holder.stdin.end();
}

/** The lock of the artifact cache. */
export function takeFillLock(say: (line: string) => void): Promise<() => void> {
    return takeFileLock(join(cacheDir(), "fill.lock"), () => say("waiting for another fill of the same cache to end"));
}

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
