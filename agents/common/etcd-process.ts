import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Runner, runnerOf } from "./member-runner";

/** The process of a member. */
export interface MemberProcess {
    readonly pid: number;
    /** Its flags. */
    readonly flags: readonly string[];
    /** Who started it. */
    readonly runner: Runner;
    /** The command line of that, if it is none of the kubelet's runtime. */
    readonly parent: readonly string[];
}

/** The process of the machine that has these data; undefined if none runs. */
export function memberProcess(data: string, proc = "/proc"): MemberProcess | undefined {
    for (const pid of readdirSync(proc).filter((name) => /^\d+$/.test(name))) {
        const [program = "", ...flags] = commandLine(join(proc, pid, "cmdline"));
        if (basename(program) === "etcd" && flags.includes(`--data-dir=${data}`)) {
            const parent = commandLine(join(proc, parentOf(join(proc, pid, "stat")), "cmdline"));
            return { pid: Number(pid), flags, runner: runnerOf(parent), parent };
        }
    }
    return undefined;
}

/** Tells a process to end, if it still runs. */
export function endProcess(pid: number): void {
    signal(pid, "SIGTERM");
}

/** Ends a process at once, if it still runs. */
export function killProcess(pid: number): void {
    signal(pid, "SIGKILL");
}

function signal(pid: number, name: NodeJS.Signals): void {
    try {
        process.kill(pid, name);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") {
            throw error;
        }
    }
}

function commandLine(path: string): string[] {
    return textOf(path).split("\0").slice(0, -1);
}

/** The second number behind the name, which is in parentheses and may have some. */
function parentOf(stat: string): string {
    const text = textOf(stat);
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[1] ?? "";
}

/** Nothing of a process that ended meanwhile. */
function textOf(path: string): string {
    try {
        return readFileSync(path, "utf8");
    } catch {
        return "";
    }
}
