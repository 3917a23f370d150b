import { setTimeout as sleep } from "node:timers/promises";
import { EtcdError } from "../../clients/etcd/client";
import { describeError, describePassing } from "../../clients/kubernetes/api-error";

export interface WaitOptions {
    /** @default 100 */
    readonly everyMilliseconds?: number;
    /** Polls less and less often, down to this interval. @default - no slower */
    readonly slowTo?: number;
}

const reportMilliseconds = 10_000;

/** Deadline and progress reports of a wait. */
export interface Patience {
    /** `performance.now()` at which the time is up. */
    readonly deadline: number;
    /** Reports what is being waited for. */
    readonly report: (message: string) => void;
}

/** A condition was not met within the time of its step. */
export class Timeout extends Error {
    override readonly name = "Timeout";
}

/**
 * Polls `observe` until it returns undefined. Until then it returns what it observed instead.
 *
 * The observation is reported every 10 s and is part of the error when the time is up.
 */
export async function waitFor(
    { deadline, report }: Patience,
    what: string,
    observe: () => Promise<string | undefined>,
    { everyMilliseconds = 100, slowTo = everyMilliseconds }: WaitOptions = {},
): Promise<void> {
    const start = performance.now();
    let interval = everyMilliseconds;
    let nextReport = start + reportMilliseconds;
    for (;;) {
        const observation = await observe();
        if (observation === undefined) {
            return;
        }
        const now = performance.now();
        if (now >= deadline) {
            throw new Timeout(`waited ${((now - start) / 1000).toFixed(0)} s for ${what}; last seen: ${observation}`);
        }
        if (now >= nextReport) {
            report(`waiting for ${what}: ${observation}`);
            nextReport = now + reportMilliseconds;
        }
        await sleep(Math.min(interval, deadline - now));
        interval = Math.min(interval * 1.5, slowTo);
    }
}

/**
 * Retries `attempt` until it returns undefined. Until then it returns what it observed.
 *
 * What etcd refuses now, such as a change right after another, it may allow soon.
 */
export async function tryUntil(
    patience: Patience,
    what: string,
    attempt: () => Promise<string | undefined>,
): Promise<void> {
    await waitOver(patience, what, attempt, (error) => {
        if (error instanceof EtcdError) {
            return describeError(error);
        }
        throw error;
    });
}

/** The same over transient API errors: a kube-apiserver may be about to restart. */
export async function tryApiUntil(
    patience: Patience,
    what: string,
    attempt: () => Promise<string | undefined>,
): Promise<void> {
    await waitOver(patience, what, attempt, describePassing);
}

/** @param describe - describes an error after which to retry, and throws any other */
async function waitOver(
    patience: Patience,
    what: string,
    attempt: () => Promise<string | undefined>,
    describe: (error: unknown) => string,
): Promise<void> {
    const observation = async () => {
        try {
            return await attempt();
        } catch (error) {
            return describe(error);
        }
    };
    await waitFor(patience, what, observation, { slowTo: 1_000 });
}
