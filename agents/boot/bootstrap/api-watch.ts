import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { describeError } from "../../../clients/kubernetes/api-error";

const everyMilliseconds = 50;

/**
 * Polls the API over new connections and keeps count.
 *
 * It sends requests like any client's, since the clients' view is what counts: a draining apiserver serves them while
 * it reports that it is not ready.
 */
export class ApiWatch {
    #answers = 0;
    #failures = 0;
    #lastFailure?: string;
    #lastAnswer = performance.now();
    #failuresSince = 0;
    #isOver = false;
    readonly #loop: Promise<void>;

    constructor(api: ApiClient) {
        this.#loop = this.#ask(api);
    }

    get answers(): number {
        return this.#answers;
    }

    get lastFailure(): string | undefined {
        return this.#lastFailure;
    }

    /**
     * Whether requests over that many seconds got no answer. Time in which a busy machine kept us from sending any does
     * not count.
     */
    isSilentFor(seconds: number): boolean {
        return this.#failuresSince > 0 && performance.now() - this.#lastAnswer > seconds * 1000;
    }

    summary(): string {
        const failed = this.#failures > 0 ? `${this.#failures} failed (${this.#lastFailure})` : "none failed";
        return `${this.#answers + this.#failures} requests, ${failed},`;
    }

    async stop(): Promise<void> {
        this.#isOver = true;
        await this.#loop;
    }

    async #ask(api: ApiClient): Promise<void> {
        while (!this.#isOver) {
            try {
                await api.call("/version", { isFresh: true, timeoutMilliseconds: 2_000 });
                this.#answers += 1;
                this.#lastAnswer = performance.now();
                this.#failuresSince = 0;
            } catch (error) {
                this.#failures += 1;
                this.#failuresSince += 1;
                this.#lastFailure = describeError(error);
            }
            await sleep(everyMilliseconds);
        }
    }
}
