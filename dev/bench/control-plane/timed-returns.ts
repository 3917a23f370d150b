import { setTimeout as sleep } from "node:timers/promises";
import { createMachine, destroyMachine, exec, powerCut, reboot } from "../../../machines";
import { answersDuring, firstAnswer, hasReadyPod } from "./api";
import { type Contender, onceWritten, startOf } from "./timed-boot";

/** How a control plane recovered: milliseconds until a request of an administrator succeeds. */
export interface Returns {
    /** From the power cut. The power returns immediately. */
    readonly powerCut: number;
    /** From the reboot command, including a graceful shutdown. */
    readonly reboot: number;
    /** From the start of the machine after that shutdown. */
    readonly boot: number;
    /** The longest gap between responses meanwhile. */
    readonly gap: number;
    /** Measured while idle. */
    readonly idle: readonly Idle[];
}

const DEADLINE_MS = 300_000;
const SETTLE_MS = 20_000;
const NAMESPACES = "/api/v1/namespaces";
const PODS = "/api/v1/namespaces/kube-system/pods";

/**
 * Boots a machine, waits for its control plane, cuts its power, then reboots it.
 *
 * @param complete - prefix of the pod that is ready when the control plane is complete
 * @param idle - measures the usage of idle processes
 */
export async function timedReturns(
    contender: Contender,
    complete: string,
    signal: AbortSignal,
    idle: () => Promise<Idle[]>,
): Promise<Returns> {
    const { cluster, node, address, config } = contender;
    const limits = () => ({ deadline: Date.now() + DEADLINE_MS, signal });
    try {
        await createMachine({ cluster, name: node, address, config });
        await contender.start?.();
        const access = await contender.access(limits());
        await onceWritten(contender, { path: contender.done, test: "-e", print: "stat -c %.3Y" }, limits());
        const isWhole = () => firstAnswer(access, PODS, limits(), (body) => hasReadyPod(body, complete));
        const served = () => firstAnswer(access, NAMESPACES, limits());
        await isWhole();
        const cost = await idle();
        const cut = Date.now();
        await powerCut(cluster, node);
        const afterCut = (await served()) - cut;
        // Right after the power cut, the API reports an older status of pods.
        await sleep(SETTLE_MS, undefined, { signal });
        await isWhole();
        const sentAt = Date.now();
        const { first, longestGap } = await answersDuring(access, NAMESPACES, limits, () => reboot(cluster, node));
        return {
            powerCut: afterCut,
            reboot: first - sentAt,
            boot: first - (await startOf(cluster, node)),
            gap: longestGap,
            idle: cost,
        };
    } finally {
        await destroyMachine(cluster, node);
    }
}

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
    const find = (pattern: string) => {
        const script = `pid=$(pgrep -f '${pattern}')
cut -d' ' -f14,15 /proc/$pid/stat
grep '^Pss:' /proc/$pid/smaps_rollup`;
        return exec(cluster, node, ["sh", "-c", script]).then(parseIdle);
    };
    const watch = async (pattern: string) => {
        const before = await find(pattern);
        await sleep(WATCHED_MS, undefined, { signal });
        const { mebibytes, seconds } = await find(pattern);
        return { mebibytes, cpu: (seconds - before.seconds) / (WATCHED_MS / 1000) };
    };
    await sleep(CALM_MS, undefined, { signal });
    return Promise.all(patterns.map(watch));
}

/** CPU seconds since the process started, and its current memory. */
export function parseIdle(printed: string): { seconds: number; mebibytes: number } {
    const [, user, system] = /^(\d+) (\d+)$/m.exec(printed) ?? [];
    const [, kibibytes] = /^Pss:\s+(\d+) kB$/m.exec(printed) ?? [];
    if (user === undefined || system === undefined || kibibytes === undefined) {
        throw new Error(`the process is not running (got ${printed})`);
    }
    return { seconds: (Number(user) + Number(system)) / TICKS_PER_SECOND, mebibytes: Number(kibibytes) / 1024 };
}
