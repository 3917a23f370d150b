import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "./cache-dir";

/**
 * Takes the cache for this process alone; another one that fills it is waited for.
 * The kernel holds the lock, so that it is gone with its holder, however that ends. @returns gives it back
 */
export async function takeFillLock(say: (line: string) => void): Promise<() => void> {
    mkdirSync(cacheDir(), { recursive: true });
    const file = join(cacheDir(), "fill.lock");
    const waiting = setTimeout(() => say("waiting for another fill of the same cache to end"), 1_000);
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
