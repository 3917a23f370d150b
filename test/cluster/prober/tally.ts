/** What one kind of client saw. */
export interface Tally {
    requests: number;
    failures: Failure[];
    /** Longest time between two responses. Unit: milliseconds. */
    longestGap: number;
}

export interface Failure {
    readonly at: string;
    readonly what: string;
}

/** Counts responses and failures of one kind of client. */
export class Counter {
    readonly tally: Tally = { requests: 0, failures: [], longestGap: 0 };
    #last = 0;

    ok(): void {
        const now = performance.now();
        if (this.#last > 0) {
            this.tally.longestGap = Math.max(this.tally.longestGap, Math.round(now - this.#last));
        }
        this.#last = now;
        this.tally.requests++;
    }

    failed(what: string): void {
        this.tally.requests++;
        this.tally.failures.push({ at: new Date().toISOString(), what });
    }
}
