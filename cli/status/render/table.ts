export interface Cell {
    readonly text: string;
    readonly tone: Tone;
}

/** A string is a cell with the tone `plain`. */
export type Row = readonly (string | Cell)[];

export function cell(text: string, tone: Tone): Cell {
    return { text, tone };
}

/** Columns under a heading, each as wide as needed. */
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

/** A readable RFC 3339 time: `2026-11-21 05:55:01 UTC`. */
export function shortTime(at: string): string {
    return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Meaning of a piece of text. */
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

/** Text without colors. */
export const noColour: Paint = (text) => text;

export const colour: Paint = (text, tone) => (CODES[tone] === undefined ? text : `\x1b[${CODES[tone]}m${text}\x1b[0m`);

/** Colors if the terminal supports them and the user has not disabled them: https://no-color.org. */
export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Paint {
    return stream.isTTY && !env.NO_COLOR && env.TERM !== "dumb" ? colour : noColour;
}
