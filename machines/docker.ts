import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { containerName } from "./names";

/** A Docker command that failed, with the engine's error message. */
export class DockerError extends Error {
    constructor(
        readonly args: readonly string[],
        readonly exitCode: number | string | undefined,
        readonly stderr: string,
    ) {
        super(`docker ${args.slice(0, 2).join(" ")} failed: ${stderr.trim() || `exit code ${exitCode}`}`);
        this.name = "DockerError";
    }

    /** True if the engine has no such container, network, image or volume. */
    get isNotFound(): boolean {
        return /no such (container|network|image|volume|object)|network .* not found/i.test(this.stderr);
    }
}

/** Of output. */
const mostBytes = 256 * 2 ** 20;

interface DockerOptions {
    /** Bytes or text for the command's standard input. */
    readonly input?: Buffer | string;

    /** Milliseconds after which the client is killed. @default 120000 */
    readonly timeout?: number;

    /** Also return what the client writes to standard error, where a container's log may be. @default false */
    readonly withErrors?: boolean;
}

/**
 * The Docker client to run: `TRADEWIND_DOCKER`, else the distribution's client next to its engine (PATH may find
 * another one first), else the one on PATH.
 */
export function dockerClient(): string {
    return process.env.TRADEWIND_DOCKER ?? (existsSync("/usr/bin/docker") ? "/usr/bin/docker" : "docker");
}

/** Runs the Docker client and resolves to its standard output. */
export function docker(args: readonly string[], options: DockerOptions = {}): Promise<string> {
    const { input, timeout = 120_000, withErrors = false } = options;
    return new Promise((resolve, reject) => {
        const limits = { timeout, killSignal: "SIGKILL" as const, maxBuffer: mostBytes };
        const child = execFile(dockerClient(), [...args], limits, (error, stdout, stderr) => {
            if (!error) {
                resolve(withErrors ? stdout + stderr : stdout);
            } else {
                reject(new DockerError(args, error.code ?? undefined, whatWentWrong(error, stderr, timeout)));
            }
        });
        // A client that dies before reading everything reports the reason on standard error.
        child.stdin?.on("error", () => undefined);
        child.stdin?.end(input);
    });
}

/** Like `docker`, but resolves to undefined if the object does not exist. */
export async function dockerIfExists(args: readonly string[], options?: DockerOptions): Promise<string | undefined> {
    try {
        return await docker(args, options);
    } catch (error) {
        if (error instanceof DockerError && error.isNotFound) {
            return undefined;
        }
        throw error;
    }
}

function whatWentWrong(error: Error & { code?: unknown; killed?: boolean }, stderr: string, timeout: number): string {
    if (error.code === "ENOENT") {
        return `there is no Docker client at ${dockerClient()}`;
    }
    if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `it printed more than ${mostBytes >> 20} MiB`;
    return error.killed ? `no answer within ${timeout / 1000} s ${stderr}` : stderr;
}

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
