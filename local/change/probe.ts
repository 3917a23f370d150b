import { setTimeout as sleep } from "node:timers/promises";
import type { Requests } from "../requests";

/** Sends one request to the API; throws if it failed. */
export type Ask = () => Promise<unknown>;

const intervalMilliseconds = 250;

/** Probes the API repeatedly and counts the results, as a client would experience them. */
export class ApiProbe {
    #requests = 0;
    readonly #failures: { at: string; what: string }[] = [];
    #longestGap = 0;
    #from?: number;
    #last?: number;

    /** @param now - milliseconds since 1970 */
    constructor(
        private readonly ask: Ask,
        private readonly now: () => number = Date.now,
    ) {}

    async run(signal: AbortSignal): Promise<void> {
        while (!signal.aborted) {
            await this.once(signal);
            await sleep(intervalMilliseconds, undefined, { signal }).catch(() => undefined);
        }
    }

    /** A request still pending at the end is not counted: its outcome is unknown. */
    async once(signal: AbortSignal): Promise<void> {
        const began = this.now();
        const failure = await this.ask().then(
            () => undefined,
            (error: Error) => error.message,
        );
        if (signal.aborted) return;
        this.#from ??= began;
        this.#requests++;
        if (failure === undefined) {
            this.#longestGap = Math.max(this.#longestGap, this.now() - (this.#last ?? began));
            this.#last = this.now();
        } else {
            this.#failures.push({ at: new Date(began).toISOString(), what: failure });
        }
    }

    /** In the format of `--requests`. */
    tallies(): Requests | undefined {
        if (this.#from === undefined) return undefined;
        return {
            from: new Date(this.#from).toISOString(),
            to: new Date(this.now()).toISOString(),
            clients: {
                new: { requests: this.#requests, failures: [...this.#failures], longestGap: this.#longestGap },
            },
        };
    }
}

/** A summary for the user. */
export function probeSummary({ clients: { new: client } }: Requests): string {
    const { requests, failures, longestGap } = client!;
    const [first] = failures;
    const failed =
        first === undefined ? "none failed" : `${failures.length} failed, first at ${first.at}: ${first.what}`;
    const gap = `${(longestGap / 1000).toFixed(1)} s`;
    return `API availability during the change: ${requests} requests over new connections, ${failed}; longest gap ${gap}`;
}
