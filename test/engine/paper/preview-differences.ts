import type { Previewed } from "./readable-preview";

/**
 * How a preview differs from another one, as text for review: resources it lacks (`without`), additional ones (`with`),
 * and a line for each value that differs.
 */
export function differences(base: readonly Previewed[], other: readonly Previewed[], cloud: string): string {
    const before = new Map(base.map((each) => [each.heading, each.body]));
    const after = new Map(other.map((each) => [each.heading, each.body]));
    const isOfCloud = (heading: string) => heading.startsWith(`+ ${cloud}:`);
    return [...new Set([...before.keys(), ...after.keys()])]
        .sort()
        .flatMap((heading) => {
            const [gone, come] = [before.get(heading), after.get(heading)];
            if (!come) return [`without ${heading}`];
            if (!gone) return [`with ${heading}`, ...(isOfCloud(heading) ? come.map((line) => `    ${line}`) : [])];
            const lines = [
                ...lacking(gone, come).map((line) => `    - ${line.trim()}`),
                ...lacking(come, gone).map((line) => `    + ${line.trim()}`),
            ];
            return lines.length > 0 ? [heading, ...lines] : [];
        })
        .map((line) => `${line.trimEnd()}\n`)
        .join("");
}

/** Lines of one that another lacks, with multiplicity and ignoring indentation. */
function lacking(lines: readonly string[], others: readonly string[]): string[] {
    const left = others.map(meaning);
    return lines.filter((line) => {
        const index = left.indexOf(meaning(line));
        if (index >= 0) left.splice(index, 1);
        return index < 0;
    });
}

/** Without its index in a list and the padding for longer names. */
function meaning(line: string): string {
    return line
        .trim()
        .replace(/^\[\d+\]: /, "")
        .replace(/ +: /, ": ");
}
