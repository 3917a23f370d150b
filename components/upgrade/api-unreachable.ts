import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { ApiError, describeError, isTransient } from "../../clients/kubernetes/api-error";

/** How long to retry an API that does not respond, in seconds. */
export interface Patience {
    /** In total. */
    readonly seconds: number;
    /** Limit for an API that fails at once, such as a refused connection. @default seconds */
    readonly atOnceSeconds?: number;
}

/**
 * Short enough that a command reports an unreachable API within ten seconds, and long enough for one that is being
 * rolled out.
 */
export const first: Patience = { seconds: 6, atOnceSeconds: 3 };

/** Why an API does not respond; undefined if it does, even with an error. */
export async function whyUnreachable(
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
            const isUnavailable = error instanceof ApiError ? error.status >= 500 : isTransient(error);
            if (!isUnavailable) return undefined;
            const isTimeout = describeError(error) === "no answer in time";
            const end = (isTimeout ? seconds : atOnceSeconds) * 1000;
            if (performance.now() - began + 500 >= end) return describeError(error);
            await sleep(500);
        }
    }
}
