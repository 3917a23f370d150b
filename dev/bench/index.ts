import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { command } from "../../command-line/command";
import { Interrupted } from "../../command-line/interrupt";
import { invalidOption, value } from "../../command-line/parse";
import { CLUSTER_NAME } from "../../local/options";
import type { Group, Report, Result } from "./report";

/** Files that are not groups of benchmarks. */
const PARTS = ["index.ts", "report.ts"];

/** Every group: a file in this folder that exports `run: Group`. */
export function groups(): string[] {
    return readdirSync(__dirname)
        .filter((file) => file.endsWith(".ts") && !PARTS.includes(file))
        .map((file) => basename(file, ".ts"))
        .sort();
}

/** `npm run bench -- GROUP…`: runs the given groups, or all, and prints one JSON object per line on standard output. */
export const program = command(
    {
        name: "npm run bench --",
        about: `Benchmarks Tradewind against its peers in the same run. Prints one JSON object per line on standard output and progress on standard error: {"name","value","unit","peer","ratio","goal"}, where lower is better.`,
        usage: "[GROUP...] [options]",
        options: {
            stack: value(
                "NAME",
                "a running local cluster to measure, in the groups that support it, instead of a temporary one",
                CLUSTER_NAME,
            ),
        },
        words: ["GROUP", `${groups().join(", ")} (default: all)`],
    },
    ({ stack }, words) => bench(chosenGroups(words, groups()), stack),
);

export const main = program.run;

/** Each group once, in the order given; without groups, all of them. */
export function chosenGroups(words: readonly string[], known: readonly string[]): readonly string[] {
    const unknown = words.find((group) => !known.includes(group));
    if (unknown !== undefined) throw invalidOption("group", known.join(", "), unknown);
    return words.length === 0 ? known : [...new Set(words)];
}

/** @param stack - a running cluster to measure. @default - a temporary one */
async function bench(requested: readonly string[], stack: string | undefined): Promise<number> {
    const results: Result[] = [];
    const report: Report = {
        result: (result) => {
            results.push(result);
            console.log(JSON.stringify(rounded(result)));
        },
        say: (line) => console.error(line),
    };
    await interruptible(async (signal) => {
        for (const [index, group] of requested.entries()) {
            report.say(`==> [${index + 1}/${requested.length}] ${group}`);
            const { run } = require(join(__dirname, group)) as { run: Group };
            await run(report, { signal, stack });
            signal.throwIfAborted();
        }
    });
    for (const { name, ratio, goal } of results.filter((result) => result.ratio > result.goal)) {
        report.say(`${name}: ratio ${ratio.toFixed(2)} exceeds its goal of ${goal}`);
    }
    return 0;
}

/** Rounds to three decimals; the rest is noise. */
export function rounded(result: Result): Result {
    const round = (value: number) => Number(value.toFixed(3));
    return { ...result, value: round(result.value), ratio: round(result.ratio) };
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs work with a signal that is aborted on Ctrl-C or termination, so that it can clean up first. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const abort = () => controller.abort(new Interrupted("everything created by the benchmarks was removed"));
    for (const signal of SIGNALS) {
        process.on(signal, abort);
    }
    try {
        return await work(controller.signal);
    } catch (error) {
        // Any error is then a consequence of the interruption.
        throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
        for (const signal of SIGNALS) {
            process.off(signal, abort);
        }
    }
}
