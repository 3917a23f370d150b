/** For how long facts have been observed without interruption. */
export class Durations {
    readonly #since = new Map<string, number>();
    #last = Number.NEGATIVE_INFINITY;

    /** @param mostGap - seconds between two observations after which nothing is known of the time in between */
    constructor(private readonly mostGap: number) {}

    /**
     * Notes what is the case now. Everything else ends.
     *
     * @param now - seconds of a monotonic clock
     */
    note(facts: readonly string[], now: number): void {
        if (now - this.#last > this.mostGap) this.#since.clear();
        this.#last = now;
        for (const fact of [...this.#since.keys()]) {
            if (!facts.includes(fact)) this.#since.delete(fact);
        }
        for (const fact of facts) {
            if (!this.#since.has(fact)) this.#since.set(fact, now);
        }
    }

    /** Seconds; undefined if it is not the case. */
    of(fact: string): number | undefined {
        const since = this.#since.get(fact);
        return since === undefined ? undefined : this.#last - since;
    }
}
