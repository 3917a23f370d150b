import { setTimeout as sleep } from "node:timers/promises";
import { EtcdError } from "../../clients/etcd/client";
import { describeError, describePassing } from "../../clients/kubernetes/api-error";

export interface WaitOptions {
    /** @default 100 */
    readonly everyMilliseconds?: number;
    /** Looks less and less often, down to this, as long as it is in vain. @default - no slower */
    readonly slowTo?: number;
}

const reportMilliseconds = 10_000;

/** What a wait is bounded by, and tells. */
export interface Patience {
    /** `performance.now()` at which the time is over. */
    readonly deadline: number;
    /** Tells those who watch what is waited for. */
    readonly report: (message: string) => void;
}

/** Something did not come to be in the time of its step. */
export class Timeout extends Error {
    override readonly name = "Timeout";
}

/**
 * Waits until `look` sees nothing amiss. It returns undefined then, else what it saw instead.
 *
 * What it saw is reported every 10 s, and is in the error when the step's time is over.
 */
export async function waitFor(
    { deadline, report }: Patience,
    what: string,
    look: () => Promise<string | undefined>,
    { everyMilliseconds = 100, slowTo = everyMilliseconds }: WaitOptions = {},
): Promise<void> {
    const start = performance.now();
    let interval = everyMilliseconds;
    let nextReport = start + reportMilliseconds;
    for (;;) {
        const seen = await look();
        if (seen === undefined) {
            return;
        }
        const now = performance.now();
        if (now >= deadline) {
            throw new Timeout(`waited ${((now - start) / 1000).toFixed(0)} s for ${what}; last seen: ${seen}`);
        }
        if (now >= nextReport) {
            report(`waiting for ${what}: ${seen}`);
            nextReport = now + reportMilliseconds;
        }
        await sleep(Math.min(interval, deadline - now));
        interval = Math.min(interval * 1.5, slowTo);
    }
}

/**
 * Tries until nothing is left to do: `attempt` returns undefined then, else what it saw.
 *
 * What etcd refuses now it may allow soon, such as a change a few seconds after another.
 */
export async function tryUntil(
    patience: Patience,
    what: string,
    attempt: () => Promise<string | undefined>,
): Promise<void> {
    const seen = async () => {
        try {
            return await attempt();
        } catch (error) {
            if (error instanceof EtcdError) {
                return describeError(error);
            }
            throw error;
        }
    };
    await waitFor(patience, what, seen, { slowTo: 1_000 });
}

/** Tries until nothing is left to do, over passing troubles of the API: an apiserver may be about to restart. */
export async function tryApiUntil(
    patience: Patience,
    what: string,
    attempt: () => Promise<string | undefined>,
): Promise<void> {
    const seen = async () => {
        try {
            return await attempt();
        } catch (error) {
            return describePassing(error);
        }
    };
    await waitFor(patience, what, seen, { slowTo: 1_000 });
}
