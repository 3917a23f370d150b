import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheDir } from ".";

/**
 * Takes an exclusive lock, waiting for another holder; after a second of waiting it calls `onWait`. The kernel holds
 * the lock, so it is released when its holder exits, for whatever reason. @returns a function that releases it
 */
export async function takeFileLock(file: string, onWait: () => void): Promise<() => void> {
    mkdirSync(dirname(file), { recursive: true });
    const waiting = setTimeout(onWait, 1_000);
    // `cat` exits, and releases the lock, when its standard input closes: when this process ends.
    const holder = spawn("flock", [file, "sh", "-c", "echo held; exec cat"], { stdio: ["pipe", "pipe", "inherit"] });
    try {
        await new Promise<void>((resolve, reject) => {
            holder.stdout.once("data", () => resolve());
            holder.once("error", (error) =>
                reject(new Error(`cannot run flock (package util-linux): ${error.message}`)),
            );
            holder.once("exit", (code) => reject(new Error(`flock of ${file} exited with ${code}`)));
        });
    } finally {
        clearTimeout(waiting);
    }
    return () => holder.stdin.end();
}

/** The lock of the artifact cache. */
export function takeFillLock(say: (line: string) => void): Promise<() => void> {
    return takeFileLock(join(cacheDir(), "fill.lock"), () =>
        say("waiting for another fill of the same cache to finish"),
    );
}

/**
 * Runs a function under a lock shared with other processes, synchronously. The kernel ties the lock to the open file,
 * so it is released when this process exits, for whatever reason.
 */
export function underLock<T>(file: string, run: () => T): T {
    const lock = openSync(file, "a", 0o600);
    try {
        // flock locks the open file that both share, and this process keeps it open.
        const { status, error } = spawnSync("flock", ["3"], { stdio: ["ignore", "ignore", "inherit", lock] });
        if (status !== 0) throw new Error(`flock of ${file} exited with ${error?.message ?? status}`);
        return run();
    } finally {
        closeSync(lock);
    }
}
