import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cacheDir } from "../cache";
import { isInstalled } from "../command-line/is-installed";
import { DockerError, docker } from "./docker";

export interface Engine {
    readonly version: string;

    /** True if we started it, so that `stopEngine` stops it. */
    readonly isOurs: boolean;

    /** The engine's log, if it was not running and was started just now. */
    readonly startedWithLog?: string;
}

/** Uses the running Docker engine, or starts one if possible, or reports what is missing. */
export async function ensureEngine(): Promise<Engine> {
    return (await runningEngine()) ?? (await startEngine());
}

/** The engine that responds now, if any. */
export async function runningEngine(): Promise<Engine | undefined> {
    try {
        const version = await docker(["version", "--format", "{{.Server.Version}}"], { timeout: 15_000 });
        return { version: version.trim(), isOurs: ourPid() !== undefined };
    } catch (error) {
        if (error instanceof DockerError) {
            return undefined;
        }
        throw error;
    }
}

/** Stops the engine, but only if we started it; resolves to whether it did. */
export async function stopEngine(): Promise<boolean> {
    const pid = ourPid();
    if (pid === undefined) {
        return false;
    }
    process.kill(pid, "SIGTERM");
    await until(() => !isDockerd(pid), 60_000, "the Docker engine to stop");
    rmSync(pidFile(), { force: true });
    return true;
}

async function startEngine(): Promise<Engine> {
    const obstacle = whyNotStart();
    if (obstacle) {
        throw new Error(`no Docker engine is running, and ${obstacle}`);
    }
    mkdirSync(engineDir(), { recursive: true });
    const log = join(engineDir(), "dockerd.log");
    const output = openSync(log, "a");
    const [command, ...args] = existsSync("/run/systemd/system") ? ["systemctl", "start", "docker"] : ["dockerd"];
    const child = spawn(command, args, { detached: true, stdio: ["ignore", output, output] });
    closeSync(output);
    child.unref();
    if (command === "dockerd") {
        writeFileSync(pidFile(), `${child.pid}\n`);
    }
    // Another process may have been faster: then its engine answers and ours exits.
    await until(runningEngine, 60_000, `the Docker engine to answer (its log: ${log})`);
    return { ...(await runningEngine())!, startedWithLog: log };
}

function whyNotStart(): string | undefined {
    if (process.env.DOCKER_HOST) {
        return `DOCKER_HOST points at ${process.env.DOCKER_HOST}, where no engine answers`;
    }
    if (process.platform !== "linux") {
        return "it cannot be started from here: start Docker Desktop";
    }
    if (!isInstalled("dockerd")) {
        return "dockerd is not installed: apt-get install docker.io";
    }
    return process.getuid?.() === 0
        ? undefined
        : "only root can start it: sudo systemctl start docker (or sudo dockerd)";
}

/** The process id of the engine that we started, if it is still running. */
function ourPid(): number | undefined {
    const pid = existsSync(pidFile()) ? Number(readFileSync(pidFile(), "utf8")) : 0;
    return pid > 0 && isDockerd(pid) ? pid : undefined;
}

/** Process ids are reused: check that this one is still an engine before stopping it. */
function isDockerd(pid: number): boolean {
    try {
        return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "dockerd";
    } catch {
        return false;
    }
}

function engineDir(): string {
    return join(cacheDir(), "engine");
}

function pidFile(): string {
    return join(engineDir(), "dockerd.pid");
}

async function until(condition: () => unknown, timeout: number, what: string): Promise<void> {
    const deadline = Date.now() + timeout;
    while (!(await condition())) {
        if (Date.now() > deadline) {
            throw new Error(`waited ${timeout / 1000} s for ${what}`);
        }
        await sleep(200);
    }
}

/** A program that local machines need on the host. */
export interface Prerequisite {
    readonly command: string;

    /** Its purpose, as in "docker (runs the machines)". */
    readonly purpose: string;

    /** Its Debian package. */
    readonly debian: string;
}

const LINUX: readonly Prerequisite[] = [
    { command: "docker", purpose: "runs the machines", debian: "docker.io" },
    { command: "dockerd", purpose: "runs the machines", debian: "docker.io" },
    { command: "iptables", purpose: "sets up the machines' networks", debian: "iptables" },
];

/** What is missing on the host to run machines while no engine is running. Installing it is up to the caller. */
export function enginePrerequisites(): Prerequisite[] {
    return process.platform === "linux" ? LINUX.filter(({ command }) => !isInstalled(command)) : [];
}
