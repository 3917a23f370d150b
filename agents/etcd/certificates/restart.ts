import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { EtcdClient } from "../../../clients/etcd/client";
import { voterHealth, votersAmong } from "../../../clients/etcd/members";
import { turnProblem } from "../../../clients/etcd/turn";
import { writeDurably } from "../../harness/durable";
import { type Patience, tryUntil, waitFor } from "../../harness/wait";
import { authorityFile, memberCredentials } from "../member/files";
import { leadElsewhere, oneOfSeveral } from "../member/leader";
import { describeBackOff, endMember, hasShell, memberProcess, mostBackOffSeconds } from "../member/process";
import type { EtcdCertificatesPlan } from "./plan";
import { telling, tells } from "./static-pod";

/**
 * Has the member start anew, once all others are well, if its process is older than its authorities, and waits for the
 * new process. The kubelet starts one that ended.
 *
 * Killed at any time it goes on when it is run again: when the process started tells whether it is of before.
 */
export async function restartMember(plan: EtcdCertificatesPlan, patience: () => Patience): Promise<void> {
    const { name, staticPod, pki, annotation, data } = plan;
    const pod = JSON.parse(readFileSync(staticPod, "utf8"));
    if (!tells(pod, annotation)) {
        // The half-written file is beside it, where the kubelet skips names that begin with a dot.
        writeDurably(staticPod, `${JSON.stringify(telling(pod, annotation), null, 2)}\n`);
    }
    const since = statSync(join(pki, authorityFile)).mtimeMs;
    if (isBefore(await processStart(plan, patience()), since)) {
        await letOthersDo(plan, patience);
        const running = memberProcess(data);
        if (running !== undefined) {
            await endMember(data, running.pid);
        }
        patience().report(`${name} starts anew`);
    }
    await waitForStartAfter(plan, patience(), since);
}

/** Seconds in which no pod of the API takes another member over: the next step begins when this one serves. */
const turnSeconds = 30;

/** Each is well, since one that is away already could be one too many, and one of them leads. */
async function letOthersDo(
    { name, url, pki, staticPod }: EtcdCertificatesPlan,
    patience: () => Patience,
): Promise<void> {
    const client = new EtcdClient([url], memberCredentials(pki));
    await tryUntil(patience(), "the other members to be well", async () => {
        const members = await client.members();
        const { healthy, problems } = await voterHealth(client, members);
        const others = votersAmong(members).filter((member) => member.name !== name);
        if (!others.every(({ ID }) => healthy.has(ID))) return problems.join("; ");
        if (others.length === 0 || !hasShell(staticPod)) return undefined;
        return turnProblem(client, name, turnSeconds);
    });
    await leadElsewhere(client, oneOfSeveral(name), patience());
}

/** The kernel tells the time of its boot in whole seconds: a process may have started that much later than it says. */
const errorMilliseconds = 1000;

/** A member, by its name, by where it tells of itself, and by its data. */
interface Process {
    readonly name: string;
    readonly healthUrl: string;
    readonly data: string;
}

/** Whether a process that says it started at `start` did so before `time` for sure. Unit: milliseconds since 1970. */
export function isBefore(start: number, time: number): boolean {
    return start + errorMilliseconds < time;
}

/** Waits until the member's process is so old that it can't be taken for one that starts now. */
export function waitForAge(member: Process, patience: Patience): Promise<void> {
    return waitForStart(member, patience, "have run for a moment", (start) => isBefore(start, Date.now()));
}

/** Waits until the member's process is one that started after `time`. Unit: milliseconds since 1970. */
function waitForStartAfter(member: Process, patience: Patience, time: number): Promise<void> {
    return waitForStart(member, patience, "start anew", (start) => !isBefore(start, time));
}

/** When the member's process started, as it says: milliseconds since 1970. */
export async function processStart(member: Process, patience: Patience): Promise<number> {
    let start = 0;
    await waitForStart(member, patience, "tell when it started", (told) => {
        start = told;
        return true;
    });
    return start;
}

/** However long the kubelet backs off before it starts the member: that comes on top of the time there is. */
async function waitForStart(
    { name, healthUrl, data }: Process,
    { deadline, report }: Patience,
    what: string,
    isGood: (start: number) => boolean,
): Promise<void> {
    const patience = { deadline: deadline + mostBackOffSeconds * 1000, report };
    const since = performance.now();
    const look = async () => {
        try {
            const answer = await fetch(`${healthUrl}/metrics`, { signal: AbortSignal.timeout(5000) });
            const start = startIn(await answer.text());
            return isGood(start) ? undefined : `it started at ${new Date(start).toISOString()}`;
        } catch (error) {
            const isGone = memberProcess(data) === undefined;
            return isGone ? describeBackOff((performance.now() - since) / 1000) : (error as Error).message;
        }
    };
    await waitFor(patience, `${name} to ${what}`, look, { everyMilliseconds: 250 });
}

/** As Prometheus' clients tell it. Unit: milliseconds since 1970. */
export function startIn(metrics: string): number {
    const [, seconds] = /^process_start_time_seconds (\S+)$/m.exec(metrics) ?? [];
    if (seconds === undefined) {
        throw new Error("its metrics do not say when it started");
    }
    return Number(seconds) * 1000;
}
