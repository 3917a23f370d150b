import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { freemem } from "node:os";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { missingPrerequisites } from "../artifacts";
import type { Item, Way } from "../artifacts/item";
import { chooseWay } from "../artifacts/way";
import { cacheDir } from "../cache";
import { isInstalled } from "../command-line/is-installed";
import { enginePrerequisites, list, runningEngine } from "../machines";
import { type ClusterArtifacts, missingArtifacts } from "./artifacts";

interface Requirements extends ClusterArtifacts {
    readonly name: string;
    readonly controllers: number;
    readonly workers: number;
    /** @default - online if the official sites of missing artifacts answer, offline if none does */
    readonly way?: Way;
}

/**
 * Checks this machine's resources, and installs missing programs if possible.
 * @returns how to get missing artifacts and plugins; undefined if it was not given and no official site was asked
 */
export async function preflight(required: Requirements, say: (line: string) => void): Promise<Way | undefined> {
    const missing = await missingArtifacts(required);
    const engine = await runningEngine();
    const machines = engine ? (await list(required.name)).filter(({ role }) => role === "machine") : [];
    const controllers = machines.filter(({ name }) => name.startsWith(`${required.name}-controller-`)).length;
    requireResources(
        {
            isCold: missing.length > 0,
            controllers: Math.max(0, required.controllers - controllers),
            workers: Math.max(0, required.workers - (machines.length - controllers)),
        },
        await supplied(cacheDir()),
        cacheDir(),
    );
    const way = required.way ?? (missing.length > 0 ? await chooseWay(missing, say) : undefined);
    await installPackages([...(engine ? [] : enginePrerequisites()), ...missingTools(missing, way)], say);
    say(engine ? `Docker engine ${engine.version} is running` : "the Docker engine is not running yet");
    say(missing.length === 0 ? "all artifacts are cached" : `${missing.length} artifacts are not cached yet`);
    return way;
}

/** The programs required to build them that are not installed. */
export function missingTools(items: readonly Item[], way?: Way): MissingProgram[] {
    const tools = items.length === 0 ? [] : missingPrerequisites(items, way);
    return tools.map((tool) => ({ command: tool.command, debian: tool.package }));
}

/** A missing program and its Debian package. */
interface MissingProgram {
    readonly command: string;
    readonly debian: string;
}

/** Installs missing programs if possible; otherwise throws with the command to install them. */
export async function installPackages(missing: readonly MissingProgram[], say: (line: string) => void): Promise<void> {
    if (missing.length === 0) {
        return;
    }
    if (process.getuid?.() !== 0 || !isInstalled("apt-get")) {
        throw new Error(describeMissing(missing, isInstalled("apt-get")));
    }
    const packages = packagesOf(missing);
    say(`installing ${packages.join(" ")}`);
    // Without package lists, as in a fresh container, the first attempt fails.
    if ((await aptGet(["install", ...packages], say)) !== 0) {
        await aptGet(["update"], say);
        const exitCode = await aptGet(["install", ...packages], say);
        if (exitCode !== 0) {
            throw new Error(`apt-get install ${packages.join(" ")} failed (exit code ${exitCode})`);
        }
    }
}

/** The missing programs, and how to install them. */
export function describeMissing(missing: readonly MissingProgram[], hasApt: boolean): string {
    const commands = missing.map(({ command }) => command).join(", ");
    const packages = packagesOf(missing).join(" ");
    const help = hasApt
        ? `Install them with: sudo apt-get install ${packages}`
        : `Their packages on Debian and Ubuntu: ${packages}`;
    return `not installed: ${commands}\n${help}`;
}

function packagesOf(missing: readonly MissingProgram[]): string[] {
    return [...new Set(missing.map(({ debian }) => debian))].sort();
}

function aptGet(args: readonly string[], say: (line: string) => void): Promise<number | null> {
    const child = spawn("apt-get", [...args, "--yes", "--no-install-recommends", "--quiet"], {
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
        stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on("line", (line) => {
            if (/^(Get:|Setting up|E:|W:)/.test(line)) {
                say(line);
            }
        });
    }
    return new Promise((resolve, reject) => {
        child.on("error", reject);
        child.on("close", resolve);
    });
}

const GIB = 1024 ** 3;
const GB = 1000 ** 3;

/** Resources that a run requires. */
interface Demand {
    /** Whether the cache has to be filled first. */
    readonly isCold: boolean;
    /** Number of machines to create. */
    readonly controllers: number;
    readonly workers: number;
}

interface Supply {
    /** Bytes. */
    readonly disk: number;
    /** Bytes. */
    readonly memory: number;
}

/**
 * Estimates from measurements: builds and their images; the disk space that local machines' kubelets reserve
 * (machines/image/host-quirks), with a margin; a node's images and etcd; Go's linker.
 */
const DISK = { cold: 15 * GB, base: 2 * GB, machine: 1.5 * GB };
const MEMORY = { cold: 4 * GIB, base: 0.5 * GIB, controller: 1 * GIB, worker: 0.4 * GIB };

export function demanded({ isCold, controllers, workers }: Demand): Supply {
    const machines = controllers + workers;
    const memory = MEMORY.base + controllers * MEMORY.controller + workers * MEMORY.worker;
    return {
        disk: (isCold ? DISK.cold : 0) + (machines === 0 ? 0 : DISK.base + machines * DISK.machine),
        memory: machines === 0 ? 0 : Math.max(memory, isCold ? MEMORY.cold : 0),
    };
}

/** Throws if resources are insufficient. */
export function requireResources(demand: Demand, supply: Supply, diskPath: string): void {
    const { disk, memory } = demanded(demand);
    if (supply.disk < disk) {
        throw new Error(
            `free disk space at ${diskPath} must be ${(disk / GB).toFixed(1)} GB or more (got ${(supply.disk / GB).toFixed(1)} GB)`,
        );
    }
    if (supply.memory < memory) {
        const machines = `${demand.controllers} controllers and ${demand.workers} workers`;
        throw new Error(
            `free memory must be ${(memory / GIB).toFixed(1)} GiB or more for ${machines} (got ${(supply.memory / GIB).toFixed(1)} GiB)`,
        );
    }
}

export async function supplied(path: string): Promise<Supply> {
    return { disk: await freeDisk(path), memory: availableMemory() };
}

/** Free bytes on the file system of a path, which may not exist yet. */
async function freeDisk(path: string): Promise<number> {
    try {
        const { bavail, bsize } = await statfs(path);
        return bavail * bsize;
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") {
            return freeDisk(dirname(path));
        }
        throw error;
    }
}

/** Memory available without swapping, including reclaimable caches. */
function availableMemory(): number {
    try {
        const [, kibibytes] = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync("/proc/meminfo", "utf8")) ?? [];
        return kibibytes ? Number(kibibytes) * 1024 : freemem();
    } catch {
        return freemem();
    }
}
