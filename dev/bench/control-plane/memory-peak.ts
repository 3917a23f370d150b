import { setTimeout as sleep } from "node:timers/promises";
import { exec } from "../../../machines";
import { controlPlaneMemory, MEMORY_SCRIPT, totalMemory } from "./memory";

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
    const look = async () => {
        while (!stop.signal.aborted) {
            found.push(await measure());
            await sleep(PERIOD_MS, undefined, { signal: stop.signal });
        }
    };
    const looked = look().catch((error: Error) => {
        if (!stop.signal.aborted) throw error;
    });
    try {
        const result = await work();
        return { before, peak: Math.max(...found), result };
    } finally {
        stop.abort();
        await looked;
    }
}
