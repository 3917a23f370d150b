import { setTimeout as sleep } from "node:timers/promises";
import { exec } from "../../../machines";
import type { Contender } from "./timed-boot";

/** What a process costs while nothing happens. */
export interface Idle {
    /** Proportional: pages that several processes share count once. */
    readonly mebibytes: number;
    /** Share of one CPU. */
    readonly cpu: number;
}

const CALM_MS = 45_000;
const WATCHED_MS = 60_000;
const TICKS_PER_SECOND = 100;

/** What processes of a machine cost in the same minute, once it has calmed down; each by a pattern of its command line. */
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

/** CPU seconds since the process's start, and its memory now. */
export function parseIdle(printed: string): { seconds: number; mebibytes: number } {
    const [, user, system] = /^(\d+) (\d+)$/m.exec(printed) ?? [];
    const [, kibibytes] = /^Pss:\s+(\d+) kB$/m.exec(printed) ?? [];
    if (user === undefined || system === undefined || kibibytes === undefined) {
        throw new Error(`the process must be one that runs, got ${printed}`);
    }
    return { seconds: (Number(user) + Number(system)) / TICKS_PER_SECOND, mebibytes: Number(kibibytes) / 1024 };
}
