import { escaped } from "../../cli/picture/svg";

/** A line of a terminal. */
export interface Line {
    /** Seconds since the start. */
    readonly at: number;
    readonly text: string;
    /** Whether the user typed it. @default false */
    readonly isTyped?: boolean;
}

export interface Film {
    readonly title: string;
    readonly description: string;
    readonly lines: readonly Line[];
}

const rows = 22;
const columns = 100;
const fontSize = 13;
const lineHeight = 18;
const charWidth = 7.83;
const margin = 14;
/** Seconds without a new line after which the film goes on. */
const longestPause = 1;
/** Seconds that a line is shown at least, so that it can be read. */
const shortestPause = 0.05;
/** Seconds of the last picture. */
const lastPause = 5;

/**
 * An animated SVG without scripts: a terminal that scrolls. Waiting is cut short. Without animations it shows the last
 * lines.
 */
export function filmOf({ title, description, lines }: Film): string {
    const shown = lines.flatMap(wrapped);
    const times = cut(shown.map(({ at }) => at));
    const duration = (times.at(-1) ?? 0) + lastPause;
    const [width, height] = [Math.round(columns * charWidth) + 2 * margin, rows * lineHeight + 2 * margin];
    const offset = (count: number) => (rows - count) * lineHeight;
    const frames = times.map((at, index) => `${percent(at, duration)}{transform:translateY(${offset(index + 1)}px)}`);
    const end = `translateY(${offset(shown.length)}px)`;
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">`,
        `<title id="title">${escaped(title)}</title>`,
        `<desc id="description">${escaped(description)}</desc>`,
        "<style>",
        `.screen{fill:#161b22}.line{fill:#c9d1d9}.typed{fill:#7ee787;font-weight:600}`,
        `text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre}`,
        `.film{transform:${end}}`,
        `@media (prefers-reduced-motion:no-preference){.film{animation:film ${duration.toFixed(1)}s step-end infinite}}`,
        `@keyframes film{0%{transform:translateY(${offset(0)}px)}${frames.join("")}100%{transform:${end}}}`,
        "</style>",
        `<rect class="screen" width="${width}" height="${height}" rx="8"/>`,
        `<clipPath id="inside"><rect width="${width - 2 * margin}" height="${rows * lineHeight}"/></clipPath>`,
        `<g transform="translate(${margin},${margin})" clip-path="url(#inside)">`,
        '<g class="film">',
        ...shown.map(({ text, isTyped }, index) => {
            const y = (index + 0.75) * lineHeight;
            return `<text class="${isTyped ? "typed" : "line"}" y="${Math.round(y)}">${escaped(text)}</text>`;
        }),
        "</g>",
        "</g>",
        "</svg>",
        "",
    ].join("\n");
}

/** Terminals break long lines. */
function wrapped({ text, ...rest }: Line): Line[] {
    const parts = text.match(new RegExp(`.{1,${columns}}`, "gsu")) ?? [""];
    return parts.map((part) => ({ ...rest, text: part }));
}

/** The same times with long pauses cut short. */
function cut(times: readonly number[]): number[] {
    let now = 0;
    return times.map((at, index) => {
        if (index > 0) now += Math.min(longestPause, Math.max(shortestPause, at - times[index - 1]!));
        return now;
    });
}

function percent(at: number, duration: number): string {
    return `${((100 * at) / duration).toFixed(2)}%`;
}
