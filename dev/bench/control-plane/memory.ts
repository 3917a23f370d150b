import { setTimeout as sleep } from "node:timers/promises";
import { exec } from "../../../machines";

/** The processes of a control plane, by their kernel names of at most 15 characters. */
const PROCESSES = [
    "etcd",
    "kube-apiserver",
    "haproxy",
    "kube-controller-manager",
    "kube-scheduler",
    "kubelet",
    "containerd",
].map((name) => name.slice(0, 15));

/**
 * Prints name and memory of every process in grep's output format. Uses proportional memory, so that pages shared between
 * processes count once.
 */
export const MEMORY_SCRIPT = `grep --no-messages '' /proc/[0-9]*/comm
grep --no-messages '^Pss:' /proc/[0-9]*/smaps_rollup
true`;

/** MiB of each control plane process. */
export function controlPlaneMemory(printed: string): Record<string, number> {
    const names = new Map(
        [...printed.matchAll(/^(\/proc\/\d+)\/comm:(.*)$/gm)].map(([, process, name]) => [process, name]),
    );
    const sums: Record<string, number> = {};
    for (const [process, mebibytes] of sizesIn(printed)) {
        const name = names.get(process) ?? "";
        if (PROCESSES.includes(name)) {
            sums[name] = (sums[name] ?? 0) + mebibytes;
        }
    }
    return sums;
}

/** MiB of all processes. */
export function machineMemory(printed: string): number {
    return sizesIn(printed).reduce((sum, [, mebibytes]) => sum + mebibytes, 0);
}

/** Each process's folder in `/proc` and MiB. */
function sizesIn(printed: string): (readonly [process: string, mebibytes: number])[] {
    const lines = printed.matchAll(/^(\/proc\/\d+)\/smaps_rollup:Pss:\s+(\d+) kB$/gm);
    return [...lines].map(([, process, kibibytes]) => [process!, Number(kibibytes) / 1024] as const);
}

/** Total MiB. */
export function totalMemory(memory: Readonly<Record<string, number>>): number {
    return Object.values(memory).reduce((sum, each) => sum + each, 0);
}

/** Frequent enough to see both generations of a process during a rollout. */
const PERIOD_MS = 2_000;

/** Memory of a machine's control plane before some work, and its maximum during it. Unit: MiB. */
export async function memoryPeak<T>(
    cluster: string,
    node: string,
    work: () => Promise<T>,
): Promise<{ before: number; peak: number; result: T }> {
    const measure = async () => totalMemory(controlPlaneMemory(await exec(cluster, node, ["sh", "-c", MEMORY_SCRIPT])));
    const before = await measure();
    const found = [before];
    const stop = new AbortController();
    const sample = async () => {
        while (!stop.signal.aborted) {
            found.push(await measure());
            await sleep(PERIOD_MS, undefined, { signal: stop.signal });
        }
    };
    const observed = sample().catch((error: Error) => {
        if (!stop.signal.aborted) throw error;
    });
    try {
        const result = await work();
        return { before, peak: Math.max(...found), result };
    } finally {
        stop.abort();
        await observed;
    }
}
