import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** Done once, when a program prints something. */
export interface Moment {
    /** A line that it prints. */
    readonly at: RegExp;
    readonly act: (child: ChildProcess) => unknown;
}

/** Stops the program with a signal. */
export const by = (signal: NodeJS.Signals) => (child: ChildProcess) => child.kill(signal);

/** Stops a program and all its children, like Ctrl-C in its terminal. @param child - leads a process group */
export const ctrlC = ({ pid }: ChildProcess) => process.kill(-pid!, "SIGINT");

const LIMIT_MS = 240_000;

interface Ended {
    readonly exitCode: number | null;
    readonly output: string;
}

/** Lets a program run to its end, with something done at each moment; resolves to its exit code and output. */
export async function runThrough(child: ChildProcess, moments: readonly Moment[], limit = LIMIT_MS): Promise<Ended> {
    const { missed, ...ended } = await run(child, moments, limit);
    const [first] = missed;
    assert.ok(first === undefined, `it never reached ${first?.at}:\n${ended.output}`);
    return ended;
}

/**
 * Runs a program repeatedly, with something done once at each moment, until a run succeeds; resolves to the number of
 * runs. Each failed run must have reached one of the remaining moments.
 */
export async function runUntilAllCame(
    start: () => Promise<ChildProcess>,
    moments: readonly Moment[],
    limit = LIMIT_MS,
): Promise<number> {
    let left = moments;
    for (let runs = 1; ; runs++) {
        const { exitCode, output, missed } = await run(await start(), left, limit);
        if (exitCode === 0) {
            assert.deepEqual(missed, [], output);
            return runs;
        }
        assert.ok(missed.length < left.length, `it failed without an interruption:\n${output}`);
        left = missed;
    }
}

async function run(
    child: ChildProcess,
    moments: readonly Moment[],
    limit: number,
): Promise<Ended & { readonly missed: readonly Moment[] }> {
    const lines: string[] = [];
    const left = new Set(moments);
    const acts: unknown[] = [];
    for (const stream of [child.stdout!, child.stderr!]) {
        createInterface({ input: stream }).on("line", (line) => {
            lines.push(line);
            for (const moment of [...left].filter(({ at }) => at.test(line))) {
                left.delete(moment);
                acts.push(moment.act(child));
            }
        });
    }
    // If it hangs, report its whole output.
    const late = setTimeout(() => child.kill("SIGKILL"), limit);
    const exitCode = await new Promise<number | null>((resolve) => child.once("exit", resolve));
    clearTimeout(late);
    await Promise.all(acts);
    return { exitCode, output: lines.join("\n"), missed: [...left] };
}
