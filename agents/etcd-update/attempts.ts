/** What became of a container, by what was seen of it until now. */
export interface Fate {
    /** Times that it was started and ended by itself. */
    readonly ended: number;
    /** Since when it has neither run nor been started, if that is long enough to be no start that is under way. */
    readonly waitingSince?: number;
}

/** How a container fares with its kubelet. Unit of all times: milliseconds of one clock. */
export class Attempts {
    readonly #settleMilliseconds: number;
    #known: ReadonlySet<string>;
    #count = 0;
    #last: number;

    /** @param starts - those of before, which tell nothing */
    constructor(starts: readonly string[], now: number, settleMilliseconds: number) {
        this.#known = new Set(starts);
        this.#last = now;
        this.#settleMilliseconds = settleMilliseconds;
    }

    /** @param starts - all there are @param lives - whether its process was seen */
    look(starts: readonly string[], lives: boolean, now: number): Fate {
        const further = starts.filter((start) => !this.#known.has(start));
        this.#known = new Set([...this.#known, ...further]);
        this.#count += further.length;
        if (further.length > 0 || lives) {
            this.#last = now;
        }
        const isSettled = now - this.#last >= this.#settleMilliseconds;
        // Another start shows that the one before it is over; the last one may be about to run.
        const ended = isSettled ? this.#count : Math.max(0, this.#count - 1);
        return { ended, ...(isSettled && { waitingSince: this.#last }) };
    }

    /** It is ended on purpose: that is none of its failures. */
    forget(): void {
        this.#count = 0;
    }
}
