import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { freemem } from "node:os";
import { dirname } from "node:path";

const GIB = 1024 ** 3;
const GB = 1000 ** 3;

/** What a run takes of this computer. */
export interface Demand {
    /** True if the cache has to be filled first. */
    readonly isCold: boolean;
    /** Machines that are not there yet. */
    readonly controllers: number;
    readonly workers: number;
}

export interface Supply {
    /** Bytes. */
    readonly disk: number;
    /** Bytes. */
    readonly memory: number;
}

/**
 * Estimates, from measurements: builds and the images made of them; what local machines' kubelets keep free
 * (machines/image/host-quirks), with room; a node's images and etcd; Go's linker.
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

/** Throws if this computer has too little. */
export function requireResources(demand: Demand, supply: Supply, diskPath: string): void {
    const { disk, memory } = demanded(demand);
    if (supply.disk < disk) {
        throw new Error(
            `free disk space at ${diskPath} must be ${(disk / GB).toFixed(1)} GB or more, got ${(supply.disk / GB).toFixed(1)} GB`,
        );
    }
    if (supply.memory < memory) {
        const machines = `${demand.controllers} controllers and ${demand.workers} workers`;
        throw new Error(
            `free memory must be ${(memory / GIB).toFixed(1)} GiB or more for ${machines}, got ${(supply.memory / GIB).toFixed(1)} GiB`,
        );
    }
}

export async function supplied(path: string): Promise<Supply> {
    return { disk: await freeDisk(path), memory: availableMemory() };
}

/** Free bytes where the path is or will be. */
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

/** What can be had without swapping: more than what is free, since caches give way. */
function availableMemory(): number {
    try {
        const [, kibibytes] = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync("/proc/meminfo", "utf8")) ?? [];
        return kibibytes ? Number(kibibytes) * 1024 : freemem();
    } catch {
        return freemem();
    }
}
