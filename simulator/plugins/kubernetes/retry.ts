import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, isPassing } from "./faults";

export interface RetryOptions {
    /** Milliseconds after which the last error is final. */
    readonly within: number;
    readonly signal?: AbortSignal;
    /** @default errors for which a retry may help */
    readonly when?: (error: unknown) => boolean;
    readonly onRetry?: (error: Error, attempt: number) => void;
}

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2000;

/**
 * Retries until it succeeds, the error is final, or time is up; pauses double, or are as long as the server requests.
 */
export async function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
    const { within, signal, when = isPassing, onRetry } = options;
    const end = Date.now() + within;
    for (let attempt = 0, pause = FIRST_PAUSE; ; attempt++, pause = Math.min(pause * 2, LONGEST_PAUSE)) {
        try {
            return await work(attempt);
        } catch (error) {
            const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
            const next = Math.max(pause, Math.min(asked, LONGEST_PAUSE));
            if (signal?.aborted || !when(error) || Date.now() + next > end) throw error;
            onRetry?.(error as Error, attempt);
            await sleep(next, undefined, { signal });
        }
    }
}
