import { flagRule } from "./flag-rules";
import { entriesOf } from "./flag-rules/rule";
import type { Program } from "./known-flags";

/** Renders flags as `--name=value`. */
export function commandLine(flags: Record<string, string>): string[] {
    return Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
}

/** Extra flags win over the generated ones; the entries of lists are added to the generated ones. */
export function withExtra(
    program: Program,
    flags: Record<string, string>,
    extra: Record<string, string> = {},
): Record<string, string> {
    const added = Object.entries(extra).map(([flag, value]) => {
        const isList = flagRule(program, flag)?.kind === "merged";
        return [flag, isList ? mergedList(flags[flag] ?? "", value) : value];
    });
    return { ...flags, ...Object.fromEntries(added) };
}

/** Each entry once, by what is before `=`: the last one counts, in the place of the first. */
function mergedList(ours: string, added: string): string {
    const entries = new Map<string, string>();
    for (const entry of [...entriesOf(ours), ...entriesOf(added)]) {
        entries.set(entry.split("=")[0]!.trim(), entry);
    }
    return [...entries.values()].join(",");
}
