import type { Clock, Patch } from "./patches";
import { countersOf, statesOf } from "./process-folder";
import { has, vdsoOf, vdsoStartOf, write } from "./vdso";

/** What became of a process: `busy` was not met at a moment at which its code can be changed. */
export type Moved = "has it" | "moved" | "busy";

/** Most milliseconds until a process that was told to stop has done so. */
const patience = 50;

/**
 * Puts a clock into the vDSO of a process, while it is stopped. Does not give way to other work of this process, so that
 * nothing but its own death leaves the other one stopped.
 */
export function moveClock(pid: number, folder: string, clock: Clock): Moved {
    const start = vdsoStartOf(folder);
    const all = [...clock.code, ...clock.entries];
    if (start === undefined || has(folder, start, all)) return "has it";
    const wasStopped = isStopped(folder);
    if (!wasStopped) process.kill(pid, "SIGSTOP");
    try {
        for (let waited = 0; waited < patience && !isStopped(folder); waited++) pause(1);
        // By its mappings of now: before it was stopped it may have become another program.
        const vdso = vdsoOf(folder);
        if (!vdso) return "has it";
        if (!has(folder, vdso.start, [clock.header])) throw new Error(`process ${pid} must have a vDSO of 64 bits`);
        const isOutside = (counter?: number) => counter !== undefined && !isWithin(clock.entries, counter - vdso.start);
        if (!isStopped(folder) || !countersOf(folder).every(isOutside)) return "busy";
        write(folder, vdso.start, all);
        return "moved";
    } finally {
        // Whoever stopped it before us wants it stopped.
        if (!wasStopped) process.kill(pid, "SIGCONT");
    }
}

/** At the first byte a thread is not yet within. */
function isWithin(entries: readonly Patch[], counter: number): boolean {
    return entries.some(({ offset, bytes }) => counter > offset && counter < offset + bytes.length);
}

/** One thread that has stopped is enough: then the kernel lets no other one back to its program. */
function isStopped(folder: string): boolean {
    return statesOf(folder).some((state) => state === "T" || state === "t");
}

function pause(milliseconds: number): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
