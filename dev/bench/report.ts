/** One measurement; lower is better. */
export interface Result {
    readonly name: string;
    readonly value: number;
    readonly unit: string;
    /** What the ratio is against, measured in the same run. */
    readonly peer: string;
    /** The value over the peer's. */
    readonly ratio: number;
    /** The ratio that is to be reached at most. */
    readonly goal: number;
}

/** What a group of benchmarks tells its results and its progress. */
export interface Report {
    result(result: Result): void;
    /** One line of progress. */
    say(line: string): void;
}

/** What a group is run with. */
export interface Setting {
    /** Aborted when the run is to end: the group then removes what it made and rejects. */
    readonly signal: AbortSignal;
    /** A cluster that is up, to be measured instead of one made for it. */
    readonly stack?: string;
}

/** One group of benchmarks. Whatever it makes is gone when it settles. */
export type Group = (report: Report, setting: Setting) => Promise<void>;

/** The middle one: a slow run does not move it. */
export function median(values: readonly number[]): number {
    const sorted = [...values].sort((a, b) => a - b);
    const middle = Math.floor(sorted.length / 2);
    return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Measures two things in turn, so that whatever else the computer does weighs on both; milliseconds, by the median. */
export async function compare(
    rounds: number,
    ours: () => unknown,
    peers: () => unknown,
): Promise<{ value: number; peer: number }> {
    const times: { value: number[]; peer: number[] } = { value: [], peer: [] };
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
        for (const [who, work] of [["value", ours] as const, ["peer", peers] as const]) {
            const began = performance.now();
            await work();
            if (round > 0) {
                times[who].push(performance.now() - began);
            }
        }
    }
    return { value: median(times.value), peer: median(times.peer) };
}
