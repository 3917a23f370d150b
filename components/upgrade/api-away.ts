import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { ApiError, describeError, isTransient } from "../../clients/kubernetes/api-error";

/** How long an API that does not answer is asked, in seconds. */
export interface Patience {
    /** All in all. */
    readonly seconds: number;
    /** One that is known at once not to answer, such as one at whose port nothing listens. @default seconds */
    readonly atOnceSeconds?: number;
}

/** So short that a command says within ten seconds that the API is away, and long enough for one that is rolled out. */
export const first: Patience = { seconds: 6, atOnceSeconds: 3 };

let isChecked = true;

/** Whether the API must answer before anything in the cluster is changed. A drill replaces machines of a cluster without one. */
export function requireAnswer(isRequired: boolean): void {
    isChecked = isRequired;
}

/** Whether the API must answer: that of a simulated cluster on paper never does. @default true */
export function mustAnswer(): boolean {
    return isChecked && !("tradewindOnPaper" in globalThis);
}

/** Why an API does not answer; undefined if it does, be it with a refusal. */
export async function whyAway(
    api: ApiClient,
    { seconds, atOnceSeconds = seconds }: Patience,
): Promise<string | undefined> {
    const began = performance.now();
    for (;;) {
        const left = seconds * 1000 - (performance.now() - began);
        try {
            await api.call("/version", {
                isFresh: true,
                timeoutMilliseconds: Math.ceil(Math.max(1, Math.min(left, 8_000))),
            });
            return undefined;
        } catch (error) {
            const isAway = error instanceof ApiError ? error.status >= 500 : isTransient(error);
            if (!isAway) return undefined;
            const isTimeout = describeError(error) === "no answer in time";
            const end = (isTimeout ? seconds : atOnceSeconds) * 1000;
            if (performance.now() - began + 500 >= end) return describeError(error);
            await sleep(500);
        }
    }
}
