import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** The process of a member. */
export interface MemberProcess {
    readonly pid: number;
    /** Its flags. */
    readonly flags: readonly string[];
}

/** The process of the machine that has these data; undefined if none runs. */
export function memberProcess(data: string, proc = "/proc"): MemberProcess | undefined {
    for (const pid of readdirSync(proc).filter((name) => /^\d+$/.test(name))) {
        const [program = "", ...flags] = commandLine(join(proc, pid, "cmdline"));
        if (basename(program) === "etcd" && flags.includes(`--data-dir=${data}`)) {
            return { pid: Number(pid), flags };
        }
    }
    return undefined;
}

/** Tells a process to end, if it still runs. */
export function endProcess(pid: number): void {
    try {
        process.kill(pid, "SIGTERM");
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") {
            throw error;
        }
    }
}

function commandLine(path: string): string[] {
    try {
        return readFileSync(path, "utf8").split("\0").slice(0, -1);
    } catch {
        // It ended meanwhile.
        return [];
    }
}
