import type { Clock, Patch } from "./patches";
import { countersOf, statesOf } from "./process-folder";
import { has, vdsoOf, vdsoStartOf, write } from "./vdso";

/** Result for a process: `busy` was not found at a point where its code can be changed. */
export type Moved = "has it" | "moved" | "busy";

/** Maximum milliseconds for a process to stop after the signal. */
const patience = 50;

/**
 * Installs a clock in the vDSO of a process while it is stopped. Synchronous, so that only the death of this process
 * can leave the other one stopped.
 */
export function moveClock(pid: number, folder: string, clock: Clock): Moved {
    const start = vdsoStartOf(folder);
    const all = [...clock.code, ...clock.entries];
    if (start === undefined || has(folder, start, all)) return "has it";
    const wasStopped = isStopped(folder);
    if (!wasStopped) process.kill(pid, "SIGSTOP");
    try {
        for (let waited = 0; waited < patience && !isStopped(folder); waited++) pause(1);
        // By its current mappings: it may have become another program before it was stopped.
        const vdso = vdsoOf(folder);
        if (!vdso) return "has it";
        if (!has(folder, vdso.start, [clock.header])) throw new Error(`process ${pid} must have a vDSO of 64 bits`);
        const isOutside = (counter?: number) => counter !== undefined && !isWithin(clock.entries, counter - vdso.start);
        if (!isStopped(folder) || !countersOf(folder).every(isOutside)) return "busy";
        write(folder, vdso.start, all);
        return "moved";
    } finally {
        // If another process stopped it first, it stays stopped.
        if (!wasStopped) process.kill(pid, "SIGCONT");
    }
}

/** At the first byte a thread is not yet inside. */
function isWithin(entries: readonly Patch[], counter: number): boolean {
    return entries.some(({ offset, bytes }) => counter > offset && counter < offset + bytes.length);
}

/** One stopped thread is enough: the kernel then lets no other one return to its program. */
function isStopped(folder: string): boolean {
    return statesOf(folder).some((state) => state === "T" || state === "t");
}

function pause(milliseconds: number): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
