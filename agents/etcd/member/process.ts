import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRefused } from "../../../clients/probe";
import { type Patience, waitFor } from "../../harness/wait";
import { isStanding, type Runner, runnerOf } from "./runner";

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
function endProcess(pid: number): void {
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

/**
 * How long a kubelet lets a container that ended wait at most: 10 seconds become twice as long each time, whoever ended it,
 * until ten minutes pass between a start and an end. Its feature gates and `maxContainerRestartPeriod` only make it less.
 */
export const mostBackOffSeconds = 300;

/** What is seen while no process runs and the kubelet has started none. */
export function describeBackOff(seconds: number): string {
    return `the kubelet has not started it for ${seconds.toFixed(0)} s: it backs off after an end, for ${mostBackOffSeconds} s at most`;
}

/**
 * What a member that was asked to end has for what is on its way. It takes no more requests then, but lets watches go on for
 * up to 7 seconds, its own limit: a kube-apiserver that has no other member waits as long. Its data bear to be killed as
 * they bear a power cut.
 */
export const endMilliseconds = 500;

const lookMilliseconds = 20;

/** Has a member's process end: in good order, if that takes no time. */
export async function endMember(data: string, pid: number): Promise<void> {
    endProcess(pid);
    const deadline = performance.now() + endMilliseconds;
    while (memberProcess(data)?.pid === pid) {
        if (performance.now() >= deadline) {
            return killProcess(pid);
        }
        await sleep(lookMilliseconds);
    }
}

/** A shell that is about to start etcd, or looks again whether it is wanted, has done so by then: milliseconds. */
const steadyMilliseconds = 3_000;

/** Waits until nothing listens any more of a member whose static pod is gone. @param mayStart - whether a shell starts it: see `hasShell` */
export async function waitUntilStopped(
    patience: Patience,
    what: string,
    urls: readonly string[],
    mayStart: boolean,
): Promise<void> {
    for (const url of urls) {
        const { hostname, port } = new URL(url);
        let since: number | undefined;
        await waitFor(patience, what, async () => {
            if (!(await isRefused(hostname, Number(port)))) {
                since = undefined;
                return `${hostname}:${port} still accepts connections`;
            }
            since ??= performance.now();
            return mayStart && performance.now() - since < steadyMilliseconds ? "it ended a moment ago" : undefined;
        });
    }
}

/** Whether a static pod starts its member by a shell, as a pod of the API does then. */
export function hasShell(staticPod: string): boolean {
    if (!existsSync(staticPod)) return false;
    return isStanding(JSON.parse(readFileSync(staticPod, "utf8")).spec?.containers?.[0]?.command ?? []);
}
