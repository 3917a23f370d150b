import { setTimeout as sleep } from "node:timers/promises";
import { exec } from "../../../machines";
import type { Contender } from "./timed-boot";

/** Resource usage of an idle process. */
export interface Idle {
    /** Proportional: pages shared between processes count once. */
    readonly mebibytes: number;
    /** Share of one CPU. */
    readonly cpu: number;
}

const CALM_MS = 45_000;
const WATCHED_MS = 60_000;
const TICKS_PER_SECOND = 100;

/** Resource usage of processes on a machine during the same minute, once it is idle; each matched by its command line. */
export async function idleProcesses(
    { cluster, node }: Contender,
    patterns: readonly string[],
    signal: AbortSignal,
): Promise<Idle[]> {
    const look = (pattern: string) => {
        const script = `pid=$(pgrep -f '${pattern}')
cut -d' ' -f14,15 /proc/$pid/stat
grep '^Pss:' /proc/$pid/smaps_rollup`;
        return exec(cluster, node, ["sh", "-c", script]).then(parseIdle);
    };
    await sleep(CALM_MS, undefined, { signal });
    const before = await Promise.all(patterns.map(look));
    await sleep(WATCHED_MS, undefined, { signal });
    const after = await Promise.all(patterns.map(look));
    return after.map(({ mebibytes, seconds }, index) => ({
        mebibytes,
        cpu: (seconds - before[index].seconds) / (WATCHED_MS / 1000),
    }));
}

/** CPU seconds since the process started, and its current memory. */
export function parseIdle(printed: string): { seconds: number; mebibytes: number } {
    const [, user, system] = /^(\d+) (\d+)$/m.exec(printed) ?? [];
    const [, kibibytes] = /^Pss:\s+(\d+) kB$/m.exec(printed) ?? [];
    if (user === undefined || system === undefined || kibibytes === undefined) {
        throw new Error(`the process is not running, got ${printed}`);
    }
    return { seconds: (Number(user) + Number(system)) / TICKS_PER_SECOND, mebibytes: Number(kibibytes) / 1024 };
}
