import type { Previewed } from "./readable-preview";

/**
 * What a preview has that another one has not, as text that a person reviews: resources that it lacks (`without`), that
 * it has beside (`with`), and a line for each value that is another one.
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

/** The lines of one that another lacks, as often as it lacks them, however far they are indented. */
function lacking(lines: readonly string[], others: readonly string[]): string[] {
    const left = others.map(meaning);
    return lines.filter((line) => {
        const index = left.indexOf(meaning(line));
        if (index >= 0) left.splice(index, 1);
        return index < 0;
    });
}

/** Without its place in a list and the room for longer names beside its own. */
function meaning(line: string): string {
    return line
        .trim()
        .replace(/^\[\d+\]: /, "")
        .replace(/ +: /, ": ");
}
