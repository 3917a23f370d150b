import { closeSync, constants, openSync, readdirSync, readFileSync } from "node:fs";

/**
 * The folder of one process in /proc, held open while `use` reads it: if the process exits and its number is reused,
 * reading fails instead of returning the other one's data. Undefined if it has exited, or exits meanwhile.
 */
export function withProcess<T>(pid: number, use: (folder: string) => T): T | undefined {
    let folder: number | undefined;
    try {
        folder = openSync(`/proc/${pid}`, constants.O_RDONLY | constants.O_DIRECTORY);
        return use(`/proc/self/fd/${folder}`);
    } catch (error) {
        if (hasEnded(error)) return undefined;
        throw error;
    } finally {
        if (folder !== undefined) closeSync(folder);
    }
}

/** EIO: its memory is already gone, but the process is not. */
function hasEnded(error: unknown): boolean {
    return ["ENOENT", "ESRCH", "EIO"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Every process visible to this one, including those of containers on the host. */
export function allPids(): number[] {
    return readdirSync("/proc")
        .map(Number)
        .filter((pid) => pid > 0);
}

/** States of the threads of a process (proc(5)): T is stopped. */
export function statesOf(folder: string): readonly string[] {
    return eachThread(folder, "stat").map((stat) => stat.charAt(stat.lastIndexOf(")") + 2));
}

/** The next instruction of each thread; undefined if it is running or runnable. */
export function countersOf(folder: string): readonly (number | undefined)[] {
    return eachThread(folder, "syscall").map((line) => {
        const counter = line.trim().split(" ");
        return counter.length > 1 ? Number(counter.at(-1)) : undefined;
    });
}

function eachThread(folder: string, file: string): string[] {
    return readdirSync(`${folder}/task`).flatMap((thread) => {
        try {
            return [readFileSync(`${folder}/task/${thread}/${file}`, "latin1")];
        } catch (error) {
            if (hasEnded(error)) return [];
            throw error;
        }
    });
}
