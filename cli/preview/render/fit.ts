import { block, code } from "./markdown";

/** A part of a comment that is folded, and may be cut. */
export interface Fold {
    readonly title: string;
    /** The language in which its lines are coloured. */
    readonly language: string;
    readonly lines: readonly string[];
}

/** What is told of one stack. */
export interface Section {
    readonly stack: string;
    /** Lines that are never cut: where there is no room for them, the stack is only named. */
    readonly head: readonly string[];
    readonly folds: readonly Fold[];
}

/** Most characters that GitHub takes in a comment. */
export const githubLimit = 65_536;

/**
 * Sections as a text of at most so many characters: small folds stay whole, large ones share what is left.
 *
 * @param rest - where to find what is cut, as a sentence's end
 */
export function fitted(first: readonly string[], sections: readonly Section[], limit: number, rest: string): string {
    let room = limit - length(first);
    // The marks of a fold, and the note of where the rest is.
    const reserved = ({ folds }: Section) =>
        folds.reduce((sum, { title }) => sum + 2 * title.length + rest.length + 150, 0);
    const heads = sections.map((section) => {
        const { stack, head } = section;
        const isFitting = length(head) + reserved(section) <= room;
        const lines = isFitting ? head : [`## ${code(stack)}`, "", `There is no room for it here: it is ${rest}.`];
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
    // Heads of very many stacks: better a part of the comment than none.
    return text.length <= limit ? text : `${text.slice(0, limit - 2)}…\n`;
}

/** How much of what is there each may take: who wants less than an equal part leaves the rest to others. */
export function shares(wanted: readonly number[], room: number): number[] {
    const order = wanted.map((_, index) => index).sort((a, b) => wanted[a]! - wanted[b]!);
    const given = wanted.map(() => 0);
    let left = Math.max(0, room);
    order.forEach((index, done) => {
        given[index] = Math.min(wanted[index]!, Math.floor(left / (order.length - done)));
        left -= given[index]!;
    });
    return given;
}

function folded({ title, language, lines }: Fold, size: number, rest: string): string[] {
    const kept = lines.slice(0, firstCut(lines, size));
    const missing = lines.length - kept.length;
    if (lines.length === 0) return [];
    if (kept.length === 0) {
        return ["", `${title}: there is no room for it here, it is ${rest}.`];
    }
    return [
        "",
        `<details><summary>${title}</summary>`,
        "",
        ...block(kept, language),
        ...(missing > 0 ? ["", `… and ${missing} more lines: the rest is ${rest}.`] : []),
        "",
        "</details>",
    ];
}

/** How many of these lines fit. */
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
