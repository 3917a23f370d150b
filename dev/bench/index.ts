import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { invalidOption, parseCommandLine } from "../../command-line/parse";
import { clusterName } from "../../local/options";
import { interruptible } from "./interruption";
import type { Group, Report, Result } from "./report";

/** What is not a group of benchmarks. */
const PARTS = ["index.ts", "interruption.ts", "report.ts"];

/** Every group: a file of this folder that exports `run: Group`. */
export function groups(): string[] {
    return readdirSync(__dirname)
        .filter((file) => file.endsWith(".ts") && !PARTS.includes(file))
        .map((file) => basename(file, ".ts"))
        .sort();
}

/** `npm run bench -- GROUP…`: runs the groups, all without a name; one JSON object a line on standard output. */
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
        report.say(`${name}: ratio ${ratio.toFixed(2)} is over its goal of ${goal}`);
    }
    return 0;
}

/** Three digits behind the point: the rest is noise. */
export function rounded(result: Result): Result {
    const round = (value: number) => Number(value.toFixed(3));
    return { ...result, value: round(result.value), ratio: round(result.ratio) };
}

/** What `npm run bench` was asked for. */
interface BenchOptions {
    /** Each group once, in the order given. */
    readonly groups: readonly string[];
    /** A cluster that is up, to be measured instead of one made for it. */
    readonly stack?: string;
    readonly isHelp: boolean;
}

/** Parses and checks the command line; no group is all of them. */
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

/** What `--help` says. */
export function help(known: readonly string[]): string {
    return `Usage: npm run bench -- [GROUP…] [--stack NAME]

Measures Tradewind against peers in the same run. One JSON object a line on standard output, progress on standard error:
{"name","value","unit","peer","ratio","goal"}, where less is better.

  GROUP         ${known.join(", ")}; all of them when none is named
  --stack NAME  a local cluster that is up, for the groups that can do with one, instead of one made for them
  --help`;
}
