import { describeBackOff, mostBackOffSeconds } from "../common/back-off";
import { memberProcess } from "../common/etcd-process";
import { type Patience, waitFor } from "../common/wait";

/** The kernel tells the time of its boot in whole seconds: a process may have started that much later than it says. */
const errorMilliseconds = 1000;

/** A member, by its name, by where it tells of itself, and by its data. */
export interface Process {
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
export function waitForStartAfter(member: Process, patience: Patience, time: number): Promise<void> {
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
