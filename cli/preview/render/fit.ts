import { block, code } from "./markdown";

/** A collapsed section of a comment, which may be cut. */
export interface Fold {
    readonly title: string;
    /** Language for syntax coloring. */
    readonly language: string;
    readonly lines: readonly string[];
}

/** Contents for one stack. */
export interface Section {
    readonly stack: string;
    /** Lines that are never cut: if they do not fit, only the stack is named. */
    readonly head: readonly string[];
    readonly folds: readonly Fold[];
}

/** GitHub's maximum length of a comment. */
export const githubLimit = 65_536;

/**
 * Fits sections into this many characters: small folds stay whole, large ones share the remaining space.
 *
 * @param rest - where to find what was cut, to end a sentence with
 */
export function fitted(first: readonly string[], sections: readonly Section[], limit: number, rest: string): string {
    let room = limit - length(first);
    // Space for the markup of a fold and the note about the rest.
    const reserved = ({ folds }: Section) =>
        folds.reduce((sum, { title }) => sum + 2 * title.length + rest.length + 150, 0);
    const heads = sections.map((section) => {
        const { stack, head } = section;
        const isFitting = length(head) + reserved(section) <= room;
        const lines = isFitting ? head : [`## ${code(stack)}`, "", `It does not fit here: see it ${rest}.`];
        room -= length(lines) + 1 + (isFitting ? reserved(section) : 0);
        return { lines, isFitting };
    });
    const folds = sections.flatMap((section, index) => (heads[index]!.isFitting ? section.folds : []));
    const sizes = shares(
        folds.map(({ lines }) => length(lines)),
        room,
    );
    const sizeOf = new Map(folds.map((fold, index) => [fold, sizes[index]!]));
    const lines = sections.flatMap((section, index) => [
        ...heads[index]!.lines,
        ...(heads[index]!.isFitting ? section.folds : []).flatMap((fold) => folded(fold, sizeOf.get(fold)!, rest)),
        "",
    ]);
    const text = `${[...first, ...lines].join("\n").trimEnd()}\n`;
    // With very many stacks, a truncated comment is better than none.
    return text.length <= limit ? text : `${text.slice(0, limit - 2)}…\n`;
}

/** Divides space: those needing less than an equal share leave the rest to others. */
export function shares(lengths: readonly number[], room: number): number[] {
    const order = lengths.map((_, index) => index).sort((a, b) => lengths[a]! - lengths[b]!);
    const given = lengths.map(() => 0);
    let left = Math.max(0, room);
    order.forEach((index, done) => {
        given[index] = Math.min(lengths[index]!, Math.floor(left / (order.length - done)));
        left -= given[index]!;
    });
    return given;
}

function folded({ title, language, lines }: Fold, size: number, rest: string): string[] {
    const kept = lines.slice(0, firstCut(lines, size));
    const missing = lines.length - kept.length;
    if (lines.length === 0) return [];
    if (kept.length === 0) {
        return ["", `${title}: does not fit here, see it ${rest}.`];
    }
    return [
        "",
        `<details><summary>${title}</summary>`,
        "",
        ...block(kept, language),
        ...(missing > 0 ? ["", `… and ${missing} more lines: see the rest ${rest}.`] : []),
        "",
        "</details>",
    ];
}

/** Number of these lines that fit. */
function firstCut(lines: readonly string[], size: number): number {
    let left = size;
    const index = lines.findIndex((line) => {
        left -= line.length + 1;
        return left < 0;
    });
    return index < 0 ? lines.length : index;
}

function length(lines: readonly string[]): number {
    return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
