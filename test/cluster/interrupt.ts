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

/** Lets a program run to its end, with something done at each moment; resolves to its exit code and what it printed. */
export async function runThrough(
    child: ChildProcess,
    moments: readonly Moment[],
    limit = LIMIT_MS,
): Promise<{ exitCode: number | null; output: string }> {
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
    const output = lines.join("\n");
    const [missed] = left;
    assert.ok(missed === undefined, `it never came to ${missed?.at}:\n${output}`);
    return { exitCode, output };
}
