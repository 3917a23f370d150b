import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheDir } from "./cache-dir";

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
