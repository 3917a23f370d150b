import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Runs a TypeScript program on this terminal, in a Node of its own; resolves to its exit code. */
export function runNode(program: string, args: readonly string[]): Promise<number> {
    return runHere(process.execPath, ["--require", "tsx/cjs", program, ...args]);
}

/** Runs a program on this terminal. Ctrl-C goes to it by the terminal, so that only it decides what to do. */
export function runHere(command: string, args: readonly string[], env = process.env): Promise<number> {
    const child = spawn(command, [...args], { stdio: "inherit", env, cwd: `${__dirname}/..` });
    const ignore = () => undefined;
    const handOn = () => void child.kill("SIGTERM");
    process.on("SIGINT", ignore);
    process.on("SIGTERM", handOn);
    return new Promise<number>((resolve, reject) => {
        child.on("error", reject);
        child.on("close", (exitCode, signal) => resolve(exitCode ?? 128 + constants.signals[signal ?? "SIGTERM"]));
    }).finally(() => {
        process.off("SIGINT", ignore);
        process.off("SIGTERM", handOn);
    });
}
