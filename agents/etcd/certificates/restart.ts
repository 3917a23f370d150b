import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { EtcdClient } from "../../../clients/etcd/client";
import { voterHealth, votersAmong } from "../../../clients/etcd/members";
import { turnProblem } from "../../../clients/etcd/turn";
import { writeDurably } from "../../harness/durable";
import { type Patience, tryUntil, waitFor } from "../../harness/wait";
import { Ending, killIfEnding } from "../member/ending";
import { caFile, memberCredentials } from "../member/files";
import { leadElsewhere, oneOfSeveral } from "../member/leader";
import {
    describeBackOff,
    endMember,
    hasShell,
    type Member,
    memberProcess,
    mostBackOffSeconds,
} from "../member/process";
import type { EtcdCertificatesPlan } from "./plan";
import { readStaticPod, withAnnotation, withRestart } from "./static-pod";

/**
 * Restarts the member if its process is older than its CAs, once all other members are healthy, and waits for the new
 * process. The kubelet restarts a member whose image has another name at once. One that exits without that, it restarts
 * after a back-off.
 *
 * Can be killed and rerun at any time: the process's start time shows whether the restart has happened.
 */
export async function restartMember(plan: EtcdCertificatesPlan, patience: () => Patience): Promise<void> {
    const { name, staticPod, pki, annotation } = plan;
    const since = statSync(join(pki, caFile)).mtimeMs;
    const isOutdated = isBefore(await processStart(plan, patience()), since);
    if (isOutdated) await letOthersDo(plan, patience);
    const current = readStaticPod(staticPod);
    const annotated = withAnnotation(current, annotation);
    // An API-managed pod may run the member of one with a shell.
    const pod = isOutdated && !hasShell(staticPod) ? withRestart(annotated) : annotated;
    const write = () => {
        if (isDeepStrictEqual(pod, current)) return;
        // The temporary file is in the same directory: the kubelet skips names that begin with a dot.
        writeDurably(staticPod, `${JSON.stringify(pod, null, 2)}\n`);
    };
    if (isOutdated) {
        await endOutdated(plan, patience(), write, isDeepStrictEqual(pod.spec, current.spec) ? 0 : readMilliseconds);
        patience().report(`${name} is restarting`);
    } else write();
    await waitForStartAfter(plan, patience(), since);
}

/** The kubelet has read the static pod after that at the latest. A member that ends before that waits for its back-off. */
const readMilliseconds = 6_000;

/** Writes the static pod, and ends the process that runs now, unless the kubelet ends it within this time. */
async function endOutdated(
    member: Member,
    { report }: Patience,
    write: () => void,
    milliseconds: number,
): Promise<void> {
    const ending = new Ending();
    const observe = () => killIfEnding(member, ending, report);
    const running = memberProcess(member.data);
    // While it listens: the kubelet may terminate it as soon as the file is there, and its end would not be noticed.
    await observe();
    write();
    const deadline = performance.now() + milliseconds;
    while (running !== undefined && memberProcess(member.data)?.pid === running.pid) {
        if (performance.now() >= deadline) return endMember(member.data, running.pid);
        await observe();
        await sleep(pollMilliseconds);
    }
}

const pollMilliseconds = 25;

/**
 * Seconds in which no other member may stop: another machine's agent, or an API-managed pod that takes over. The stack
 * waits for each member, except with candidates.
 */
const turnSeconds = 30;

/** All others must be healthy, since one more missing member could break quorum, and one of them must lead. */
async function letOthersDo(
    { name, url, pki, staticPod, mayLackMember }: EtcdCertificatesPlan,
    patience: () => Patience,
): Promise<void> {
    const client = new EtcdClient([url], memberCredentials(pki));
    await tryUntil(patience(), "the other members to be healthy", async () => {
        const members = await client.members();
        const { healthy, problems } = await voterHealth(client, members);
        const others = votersAmong(members).filter((member) => member.name !== name);
        if (!others.every(({ ID }) => healthy.has(ID))) return problems.join("; ");
        const areConcurrent = mayLackMember || hasShell(staticPod);
        if (others.length === 0 || !areConcurrent) return undefined;
        return turnProblem(client, name, turnSeconds);
    });
    await leadElsewhere(client, oneOfSeveral(name), patience());
}

/** The kernel reports its boot time in whole seconds, so a process may have started that much later than it reports. */
const errorMilliseconds = 1000;

/**
 * Whether a process with the reported start time `start` certainly started before `time`. Unit: milliseconds since
 * 1970.
 */
export function isBefore(start: number, time: number): boolean {
    return start + errorMilliseconds < time;
}

/** Files get their time from the kernel's coarse clock: the last tick, up to 10 ms ago. */
const tickMilliseconds = 10;

/** Waits until the member's process is old enough to be older, by `isBefore`, than a file that is written now. */
export function waitForAge(member: Member, patience: Patience): Promise<void> {
    const isOld = (start: number) => isBefore(start, Date.now() - tickMilliseconds);
    return waitForStart(member, patience, "have run for a second", isOld);
}

/** Waits for a process of the member that started after `time`. Unit: milliseconds since 1970. */
function waitForStartAfter(member: Member, patience: Patience, time: number): Promise<void> {
    return waitForStart(member, patience, "restart", (start) => !isBefore(start, time));
}

/** Reported start time of the member's process: milliseconds since 1970. */
export async function processStart(member: Member, patience: Patience): Promise<number> {
    let start = 0;
    await waitForStart(member, patience, "report its start time", (reported) => {
        start = reported;
        return true;
    });
    return start;
}

/** The kubelet's back-off comes on top of the timeout. */
async function waitForStart(
    { name, healthUrl, data }: Member,
    { deadline, report }: Patience,
    what: string,
    isGood: (start: number) => boolean,
): Promise<void> {
    const patience = { deadline: deadline + mostBackOffSeconds * 1000, report };
    const since = performance.now();
    const observe = async () => {
        try {
            const answer = await fetch(`${healthUrl}/metrics`, { signal: AbortSignal.timeout(5000) });
            const start = startIn(await answer.text());
            return isGood(start) ? undefined : `it started at ${new Date(start).toISOString()}`;
        } catch (error) {
            const isStopped = memberProcess(data) === undefined;
            return isStopped ? describeBackOff((performance.now() - since) / 1000) : (error as Error).message;
        }
    };
    await waitFor(patience, `${name} to ${what}`, observe, { everyMilliseconds: 250 });
}

/** From the metrics of a Prometheus client. Unit: milliseconds since 1970. */
export function startIn(metrics: string): number {
    const [, seconds] = /^process_start_time_seconds (\S+)$/m.exec(metrics) ?? [];
    if (seconds === undefined) {
        throw new Error("its metrics have no start time");
    }
    return Number(seconds) * 1000;
}
