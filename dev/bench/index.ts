import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { invalidOption, parseCommandLine } from "../../command-line/parse";
import { clusterName } from "../../local/options";
import { interruptible } from "./interruption";
import type { Group, Report, Result } from "./report";

/** Files that are not groups of benchmarks. */
const PARTS = ["index.ts", "interruption.ts", "report.ts"];

/** Every group: a file in this folder that exports `run: Group`. */
export function groups(): string[] {
    return readdirSync(__dirname)
        .filter((file) => file.endsWith(".ts") && !PARTS.includes(file))
        .map((file) => basename(file, ".ts"))
        .sort();
}

/** `npm run bench -- GROUP…`: runs the given groups, or all, and prints one JSON object per line on standard output. */
export async function main(args: readonly string[]): Promise<number> {
    const { groups: wanted, stack, isHelp } = parseOptions(args, groups());
    if (isHelp) {
        console.log(help(groups()));
        return 0;
    }
    const results: Result[] = [];
    const report: Report = {
        result: (result) => {
            results.push(result);
            console.log(JSON.stringify(rounded(result)));
        },
        say: (line) => console.error(line),
    };
    await interruptible(async (signal) => {
        for (const [index, group] of wanted.entries()) {
            report.say(`==> [${index + 1}/${wanted.length}] ${group}`);
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

/** Options of `npm run bench`. */
interface BenchOptions {
    /** Each group once, in the order given. */
    readonly groups: readonly string[];
    /** A running cluster to measure instead of a temporary one. */
    readonly stack?: string;
    readonly isHelp: boolean;
}

/** Parses and checks the command line; without groups, all of them run. */
export function parseOptions(args: readonly string[], known: readonly string[]): BenchOptions {
    const { values, positionals } = parseCommandLine("npm run bench -- --help", {
        args: [...args],
        allowPositionals: true,
        options: { stack: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    const unknown = positionals.find((group) => !known.includes(group));
    if (unknown !== undefined) {
        throw invalidOption("group", known.join(", "), unknown);
    }
    const groups = positionals.length === 0 ? known : [...new Set(positionals)];
    return {
        groups,
        isHelp: values.help ?? false,
        ...(values.stack !== undefined && { stack: clusterName(values.stack) }),
    };
}

/** Text of `--help`. */
export function help(known: readonly string[]): string {
    return `Usage: npm run bench -- [GROUP…] [--stack NAME]

Benchmarks Tradewind against its peers in the same run. Prints one JSON object per line on standard output and
progress on standard error: {"name","value","unit","peer","ratio","goal"}, where lower is better.

  GROUP         ${known.join(", ")} (default: all)
  --stack NAME  a running local cluster to measure, in the groups that support it, instead of a temporary one
  --help`;
}
