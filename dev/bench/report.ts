/** One measurement; lower is better. */
export interface Result {
    readonly name: string;
    readonly value: number;
    readonly unit: string;
    /** What the value is compared to, measured in the same run. */
    readonly peer: string;
    /** The value divided by the peer's. */
    readonly ratio: number;
    /** Maximum acceptable ratio. */
    readonly goal: number;
}

/** A result against a fixed limit. */
export function limited(name: string, unit: string, value: number, most: number): Result {
    return { name, value, unit, peer: `the limit of ${most} ${unit}`, ratio: value / most, goal: 1 };
}

/** Receives results and progress of a group of benchmarks. */
export interface Report {
    result(result: Result): void;
    /** One line of progress. */
    say(line: string): void;
}

/** Context of a group. */
export interface Setting {
    /** Aborted when the run should end: the group then removes what it created, and rejects. */
    readonly signal: AbortSignal;
    /** A running cluster to measure instead of a temporary one. */
    readonly stack?: string;
}

/** A group of benchmarks. It removes everything it creates before it settles. */
export type Group = (report: Report, setting: Setting) => Promise<void>;

/** The median, which a single slow run does not affect. */
export function median(values: readonly number[]): number {
    const sorted = [...values].sort((a, b) => a - b);
    const half = sorted.length / 2;
    const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
    return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** Measures two things alternately, so that background load affects both; milliseconds, median. */
export async function compare(
    rounds: number,
    ours: () => unknown,
    peers: () => unknown,
): Promise<{ value: number; peer: number }> {
    const times: { value: number[]; peer: number[] } = { value: [], peer: [] };
    // The first round is a warm-up.
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
