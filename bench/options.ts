import { parseCommandLine } from "../cli/parse-command-line";
import { clusterName } from "../cli/start-options";
import { invalidOption } from "../cli/usage-error";

/** What `npm run bench` was asked for. */
export interface BenchOptions {
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
