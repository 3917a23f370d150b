import { readFileSync, statfsSync } from "node:fs";

/** Bytes that a rehearsal of a snapshot needs. */
export interface Needs {
    readonly memory: number;
    readonly disk: number;
}

const mebi = 2 ** 20;

/**
 * What etcd and kube-apiserver need for a snapshot: an estimate. kube-apiserver takes about 300 MiB without objects, and
 * keeps each object decoded, in several times its stored size; etcd maps its file.
 */
export function needsOf(snapshotBytes: number): Needs {
    return { memory: 600 * mebi + 6 * snapshotBytes, disk: 200 * mebi + 4 * snapshotBytes };
}

/** @throws Error if a snapshot is too large for this machine */
export function requireRoom(snapshotBytes: number, folder: string, has: Needs = roomAt(folder)): void {
    const needs = needsOf(snapshotBytes);
    const short = (["memory", "disk"] as const).filter((what) => has[what] < needs[what]);
    if (short.length === 0) return;
    const shown = (bytes: number) => `${Math.ceil(bytes / mebi)} MiB`;
    const lacks = short.map((what) => `${shown(needs[what])} of ${what} (available: ${shown(has[what])})`);
    throw new Error(`a rehearsal of a snapshot of ${shown(snapshotBytes)} needs ${lacks.join(" and ")}`);
}

function roomAt(folder: string): Needs {
    const [, kibibytes = "0"] = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync("/proc/meminfo", "utf8")) ?? [];
    const { bavail, bsize } = statfsSync(folder);
    return { memory: Number(kibibytes) * 1024, disk: bavail * bsize };
}
