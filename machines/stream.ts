import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { dockerClient } from "./docker";

/**
 * Runs the Docker client and hands on each line of its standard output as it comes.
 * Resolves to its exit code, or to undefined if it was stopped after the time-out (in milliseconds).
 */
export function streamDocker(
    args: readonly string[],
    { timeout }: { timeout: number },
    onLine: (line: string) => void,
): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
        const child = spawn(dockerClient(), [...args], {
            stdio: ["ignore", "pipe", "ignore"],
            timeout,
            killSignal: "SIGKILL",
        });
        const lines = createInterface({ input: child.stdout });
        lines.on("line", onLine);
        child.on("error", reject);
        // Both must have ended, else the last lines get lost.
        const closed = new Promise<void>((done) => lines.on("close", done));
        child.on("close", (exitCode) => closed.then(() => resolve(exitCode ?? undefined)));
    });
}
