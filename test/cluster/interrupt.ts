import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** What is done when a program says something, once. */
export interface Moment {
    /** A line that it prints. */
    readonly at: RegExp;
    readonly act: (child: ChildProcess) => unknown;
}

/** Ends the program by a signal. */
export const by = (signal: NodeJS.Signals) => (child: ChildProcess) => child.kill(signal);

/** Ends a program and all that it runs, as Ctrl-C does on its terminal. @param child - leads a process group */
export const ctrlC = ({ pid }: ChildProcess) => process.kill(-pid!, "SIGINT");

const LIMIT_MS = 240_000;

interface Ended {
    readonly exitCode: number | null;
    readonly output: string;
}

/** Lets a program run to its end, with something done at each moment; resolves to its exit code and what it printed. */
export async function runThrough(child: ChildProcess, moments: readonly Moment[], limit = LIMIT_MS): Promise<Ended> {
    const { missed, ...ended } = await run(child, moments, limit);
    const [first] = missed;
    assert.ok(first === undefined, `it never came to ${first?.at}:\n${ended.output}`);
    return ended;
}

/**
 * Runs a program again and again, with something done at each moment, once, until one run ends well; resolves to how many
 * runs that took. Each that fails must have come to a moment that was left.
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
        assert.ok(missed.length < left.length, `it fails, though nothing befell it:\n${output}`);
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
    // One that hangs is to be told with all that it said.
    const late = setTimeout(() => child.kill("SIGKILL"), limit);
    const exitCode = await new Promise<number | null>((resolve) => child.once("exit", resolve));
    clearTimeout(late);
    await Promise.all(acts);
    return { exitCode, output: lines.join("\n"), missed: [...left] };
}
