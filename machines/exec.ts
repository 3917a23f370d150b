import { spawn } from "node:child_process";
import { docker, dockerClient } from "./docker";
import { containerName } from "./names";

/** Runs a command in a machine and resolves to its standard output. */
export function exec(
    cluster: string,
    name: string,
    command: readonly string[],
    input?: Buffer | string,
): Promise<string> {
    return docker(["exec", ...(input === undefined ? [] : ["-i"]), containerName(cluster, name), ...command], {
        input,
    });
}

/** Runs a command in a machine with this process' input and output; resolves to its exit code. */
export function execInteractive(cluster: string, name: string, command: readonly string[]): Promise<number> {
    const terminal = process.stdin.isTTY && process.stdout.isTTY ? ["--tty"] : [];
    const args = ["exec", "--interactive", ...terminal, containerName(cluster, name), ...command];
    return new Promise((resolve, reject) => {
        const child = spawn(dockerClient(), args, { stdio: "inherit" });
        child.on("error", reject);
        child.on("close", (exitCode) => resolve(exitCode ?? 1));
    });
}
