import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { interruptible } from "./interruption";
import { help, parseOptions } from "./options";
import type { Group, Report, Result } from "./report";

/** What is not a group of benchmarks. */
const PARTS = ["index.ts", "interruption.ts", "options.ts", "report.ts"];

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
