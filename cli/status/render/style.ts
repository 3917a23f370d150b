/** How a piece of text is to be taken. */
export type Tone = "good" | "bad" | "warning" | "faint" | "strong" | "plain";

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
