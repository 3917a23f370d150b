import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { invalidOption } from "../cli/usage-error";
import type { Report, Result } from "./report";

/** What is not a group of benchmarks. */
const PARTS = ["index.ts", "report.ts"];

/** Every group: a file of this folder that exports `run(report)`. */
export function groups(): string[] {
    return readdirSync(__dirname)
        .filter((file) => file.endsWith(".ts") && !PARTS.includes(file))
        .map((file) => basename(file, ".ts"))
        .sort();
}

/** `npm run bench -- GROUP…`: runs the groups, all without a name; one JSON object a line on standard output. */
export async function main(args: readonly string[]): Promise<number> {
    const known = groups();
    const unknown = args.find((arg) => !known.includes(arg));
    if (unknown !== undefined) {
        throw invalidOption("group", known.join(", "), unknown);
    }
    const wanted = args.length === 0 ? known : [...new Set(args)];
    const results: Result[] = [];
    const report: Report = {
        result: (result) => {
            results.push(result);
            console.log(JSON.stringify(rounded(result)));
        },
        say: (line) => console.error(line),
    };
    for (const [index, group] of wanted.entries()) {
        report.say(`==> [${index + 1}/${wanted.length}] ${group}`);
        const { run } = require(join(__dirname, group)) as { run(report: Report): Promise<void> };
        await run(report);
    }
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
