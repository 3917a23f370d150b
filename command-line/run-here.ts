import { type StdioOptions, spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

export interface RunOptions {
    /** @default - this process's */
    readonly env?: NodeJS.ProcessEnv;
    /** When it must have ended, in milliseconds since 1970; then it is ended. @default - never */
    readonly deadline?: number;
    /** Its niceness, and that of what it starts: from -20 to 19. @default - this process's */
    readonly niceness?: number;
    /** Takes each line of its output, which else goes to this terminal. */
    readonly print?: (line: string) => void;
}

/** How long a program has to clean up once it was told to end. */
const GRACE_MS = 20_000;

/**
 * Runs a program on this terminal, in the checkout, and resolves to its exit code.
 * Ctrl-C reaches it by the terminal, so that it alone decides what to do then.
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

/** Runs a TypeScript program of the checkout. */
export function runProgram(path: string, args: readonly string[]): Promise<number> {
    return runHere(process.execPath, ["--require", "tsx/cjs", path, ...args]);
}
