import type { Paint, Tone } from "./style";

export interface Cell {
    readonly text: string;
    readonly tone: Tone;
}

/** Plain text is a plain cell. */
export type Row = readonly (string | Cell)[];

export function cell(text: string, tone: Tone): Cell {
    return { text, tone };
}

/** Columns as wide as they have to be, under a heading. */
export function table(heading: readonly string[], rows: readonly Row[], paint: Paint): string[] {
    const all: Cell[][] = [heading.map((text) => cell(text, "faint")), ...rows.map((row) => row.map(toCell))];
    const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.text.length ?? 0)));
    return all.map((row) =>
        row
            .map(({ text, tone }, column) => {
                const isLast = column === row.length - 1;
                return paint(text, tone) + (isLast ? "" : " ".repeat(widths[column]! - text.length));
            })
            .join("  ")
            .trimEnd(),
    );
}

function toCell(value: string | Cell): Cell {
    return typeof value === "string" ? cell(value, "plain") : value;
}
