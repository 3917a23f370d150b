import { setTimeout as sleep } from "node:timers/promises";
import type { Requests } from "../requests";

/** Asks the API once; throws if that failed. */
export type Ask = () => Promise<unknown>;

const intervalMilliseconds = 250;

/** Asks the API again and again and counts, as whoever works with the cluster meanwhile would see it. */
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

    /** One that is not answered before the end counts as none: whether it failed nobody knows. */
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

    /** In the form of `--requests`. */
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

/** What a person wants to know of it. */
export function probeSummary({ clients: { new: client } }: Requests): string {
    const { requests, failures, longestGap } = client!;
    const [first] = failures;
    const failed =
        first === undefined ? "none failed" : `${failures.length} failed, first at ${first.at}: ${first.what}`;
    const gap = `${(longestGap / 1000).toFixed(1)} s at most from one answer to the next`;
    return `the API was asked ${requests} times meanwhile, each time by a new connection: ${failed}; ${gap}`;
}
