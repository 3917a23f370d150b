import { closeSync, constants, openSync, readdirSync, readFileSync } from "node:fs";

/**
 * The folder of /proc of one process, held open while `use` looks at it: when the process ends and another one takes its
 * number, what is read is an error and not the other one's. Undefined if it has ended, or ends meanwhile.
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

/** EIO: its memory is gone, and it is not yet. */
function hasEnded(error: unknown): boolean {
    return ["ENOENT", "ESRCH", "EIO"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Every process that this one sees, those of containers of this computer among them. */
export function allPids(): number[] {
    return readdirSync("/proc")
        .map(Number)
        .filter((pid) => pid > 0);
}

/** Letters of what the threads of a process do (proc(5)): T is stopped. */
export function statesOf(folder: string): readonly string[] {
    return eachThread(folder, "stat").map((stat) => stat.charAt(stat.lastIndexOf(")") + 2));
}

/** The next instruction of each thread; undefined of one that runs or waits for a core. */
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
