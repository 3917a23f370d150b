import { parseArgs } from "node:util";
import { clusterName } from "../cli/start-options";
import { invalidOption, UsageError } from "../cli/usage-error";

/** What `npm run bench` was asked for. */
export interface BenchOptions {
    /** Each group once, in the order given. */
    readonly groups: readonly string[];
    /** A cluster that is up, to be measured instead of one made for it. */
    readonly stack?: string;
}

/** Parses and checks the command line; no group is all of them. */
export function parseOptions(args: readonly string[], known: readonly string[]): BenchOptions {
    const { values, positionals } = parse(args);
    const unknown = positionals.find((group) => !known.includes(group));
    if (unknown !== undefined) {
        throw invalidOption("group", known.join(", "), unknown);
    }
    const groups = positionals.length === 0 ? known : [...new Set(positionals)];
    return { groups, ...(values.stack !== undefined && { stack: clusterName(values.stack) }) };
}

function parse(args: readonly string[]) {
    try {
        return parseArgs({ args: [...args], allowPositionals: true, options: { stack: { type: "string" } } });
    } catch (error) {
        throw new UsageError((error as Error).message.split(/[.\n]/)[0]);
    }
}
