import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRefused } from "../../../clients/probe";
import { removeDurably } from "../../harness/durable";
import { jsonObject, readState } from "../../harness/state-file";
import { type Patience, waitFor } from "../../harness/wait";
import { isStandbyCommand, type Runner, runnerOf } from "./runner";

/** A member, as far as its process is concerned. */
export interface Member {
    readonly name: string;
    /** `http://127.0.0.1:2381` */
    readonly healthUrl: string;
    /** Its data directory. */
    readonly data: string;
}

/** The process of a member. */
export interface MemberProcess {
    readonly pid: number;
    /** Its flags. */
    readonly flags: readonly string[];
    /** What started it. */
    readonly runner: Runner;
    /** Command line of the parent process, if that is not the kubelet's runtime. */
    readonly parent: readonly string[];
}

/** The process on this machine that uses this data directory; undefined if none runs. */
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

/** Asks a process to end, if it still runs. */
function endProcess(pid: number): void {
    signal(pid, "SIGTERM");
}

/** Kills a process, if it still runs. */
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

/** The second number after the name, which is in parentheses and may contain some itself. */
function parentOf(stat: string): string {
    const text = textOf(stat);
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[1] ?? "";
}

/** Empty for a process that ended in the meantime. */
function textOf(path: string): string {
    try {
        return readFileSync(path, "utf8");
    } catch {
        return "";
    }
}

/**
 * The kubelet's maximum back-off for a container that ended: 10 seconds, doubled each time, whatever ended it, and
 * reset after ten minutes between a start and an end. Its feature gates and `maxContainerRestartPeriod` can only
 * shorten it.
 */
export const mostBackOffSeconds = 300;

/** Describes the time in which no process runs because the kubelet has not started one. */
export function describeBackOff(seconds: number): string {
    return `the kubelet has not started it for ${seconds.toFixed(0)} s: it backs off for up to ${mostBackOffSeconds} s after an exit`;
}

/**
 * Time that a terminated member gets for requests in flight. It accepts no new ones then, but serves watches for up to
 * 7 more seconds, its own limit, and a kube-apiserver without another member waits as long. etcd's data survives a kill
 * just as it survives a power cut.
 */
export const endMilliseconds = 500;

const pollMilliseconds = 20;

/** Ends a member's process, gracefully if that is quick. */
export async function endMember(data: string, pid: number): Promise<void> {
    endProcess(pid);
    const deadline = performance.now() + endMilliseconds;
    while (memberProcess(data)?.pid === pid) {
        if (performance.now() >= deadline) {
            return killProcess(pid);
        }
        await sleep(pollMilliseconds);
    }
}

/**
 * Kills a member that accepts no more requests, once it has answered all writes. Other requests are no loss: clients
 * repeat them by themselves.
 *
 * @param healthUrl - serves its metrics
 */
export async function killOnceAnswered(pid: number, healthUrl: string): Promise<void> {
    const deadline = performance.now() + endMilliseconds;
    do await sleep(pollMilliseconds);
    while (performance.now() < deadline && (await pendingWrites(healthUrl)) > 0);
    // Its answers are on their way.
    await sleep(pollMilliseconds);
    killProcess(pid);
}

/** 0 if it does not say. */
async function pendingWrites(healthUrl: string): Promise<number> {
    try {
        const answer = await fetch(`${healthUrl}/metrics`, { signal: AbortSignal.timeout(endMilliseconds) });
        const [, count] = /^etcd_server_proposals_pending (\S+)$/m.exec(await answer.text()) ?? [];
        return Number(count ?? 0);
    } catch {
        return 0;
    }
}

/** Milliseconds after which a shell that is about to start etcd, or rechecks whether to, has done so. */
const steadyMilliseconds = 3_000;

/**
 * Waits until a member whose static pod was removed no longer listens. @param mayStart - whether a shell starts it: see
 * `hasShell`
 */
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
            return mayStart && performance.now() - since < steadyMilliseconds ? "it ended only just now" : undefined;
        });
    }
}

/**
 * Removes a member's static pod, and waits until it no longer listens.
 *
 * @param mayStart - @default - whether the static pod starts it by a shell
 */
export async function stopMember(
    patience: Patience,
    what: string,
    { staticPod, url, mayStart = hasShell(staticPod) }: { staticPod: string; url: string; mayStart?: boolean },
): Promise<void> {
    removeDurably(staticPod);
    await waitUntilStopped(patience, what, [url], mayStart);
}

interface StaticPod {
    readonly spec?: { readonly containers?: readonly { readonly command?: readonly string[] }[] };
}

/** Whether a static pod starts its member through a shell, as it does when an API-managed pod can run the member. */
export function hasShell(staticPod: string): boolean {
    if (!existsSync(staticPod)) return false;
    const pod = readState(staticPod, jsonObject<StaticPod>);
    // The process of a damaged one may still run.
    return pod === undefined || isStandbyCommand(pod.spec?.containers?.[0]?.command ?? []);
}
