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

/** RFC 3339 as people read it: `2026-11-21 05:55:01 UTC`. */
export function shortTime(at: string): string {
    return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** How a piece of text is to be taken. */
type Tone = "good" | "bad" | "warning" | "faint" | "strong" | "plain";

export type Paint = (text: string, tone: Tone) => string;

const CODES: Readonly<Record<Tone, number | undefined>> = {
    good: 32,
    bad: 31,
    warning: 33,
    faint: 2,
    strong: 1,
    plain: undefined,
};

/** Text as it is. */
export const noColour: Paint = (text) => text;

export const colour: Paint = (text, tone) => (CODES[tone] === undefined ? text : `\x1b[${CODES[tone]}m${text}\x1b[0m`);

/** Colours for a terminal that shows them and a person who wants them: https://no-color.org. */
export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Paint {
    return stream.isTTY && !env.NO_COLOR && env.TERM !== "dumb" ? colour : noColour;
}
