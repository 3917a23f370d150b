import { type StdioOptions, spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

export interface RunOptions {
    /** @default - those of this process */
    readonly env?: NodeJS.ProcessEnv;
    /** When to stop it, in milliseconds since 1970. @default - never */
    readonly deadline?: number;
    /** Niceness of the program and its children: from -20 to 19. @default - that of this process */
    readonly niceness?: number;
    /** Receives each line of its output. @default - the terminal does */
    readonly print?: (line: string) => void;
}

/** Time for a program to clean up after SIGTERM. */
const GRACE_MS = 20_000;

/**
 * Runs a program on this terminal, in the checkout, and resolves to its exit code. The terminal sends Ctrl-C to it directly,
 * so it decides how to handle it.
 */
export function runHere(command: string, args: readonly string[], options: RunOptions = {}): Promise<number> {
    const { env = process.env, deadline, niceness, print } = options;
    const stdio: StdioOptions = print ? ["inherit", "pipe", "pipe"] : "inherit";
    const child = spawn(command, [...args], { stdio, env, cwd: resolve(__dirname, "..") });
    if (niceness !== undefined && child.pid !== undefined) setPriority(child.pid, niceness);
    for (const input of [child.stdout, child.stderr]) {
        if (input) createInterface({ input }).on("line", (line) => print?.(line));
    }
    const ignore = () => undefined;
    const end = () => {
        child.kill("SIGTERM");
        setTimeout(() => child.kill("SIGKILL"), GRACE_MS).unref();
    };
    const late = deadline === undefined ? undefined : setTimeout(end, Math.max(0, deadline - Date.now()));
    process.on("SIGINT", ignore);
    process.on("SIGTERM", end);
    return new Promise<number>((done, reject) => {
        child.on("error", reject);
        child.on("close", (exitCode, signal) => done(exitCode ?? 128 + constants.signals[signal ?? "SIGTERM"]));
    }).finally(() => {
        clearTimeout(late);
        process.off("SIGINT", ignore);
        process.off("SIGTERM", end);
    });
}
