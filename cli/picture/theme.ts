import type { BoxLook, LineLook, Meaning, TextLook } from "./shapes";

/** Each colour by day and by night: what shows a picture tells it which, as GitHub does. */
type Pair = readonly [light: string, dark: string];

const none: Pair = ["none", "none"];
const canvas: Pair = ["#ffffff", "#0d1117"];
const subtle: Pair = ["#f6f8fa", "#151b23"];
const border: Pair = ["#d1d9e0", "#3d444d"];
const text: Pair = ["#1f2328", "#f0f6fc"];
const faint: Pair = ["#59636e", "#9198a1"];
const blue: Pair = ["#0969da", "#4493f8"];
const paleBlue: Pair = ["#ddf4ff", "#121d2f"];
const green: Pair = ["#1a7f37", "#3fb950"];
const amber: Pair = ["#9a6700", "#d29922"];
const paleAmber: Pair = ["#fff8c5", "#272115"];
const red: Pair = ["#cf222e", "#f85149"];

const BOXES: Readonly<Record<BoxLook, { readonly fill: Pair; readonly stroke: Pair }>> = {
    frame: { fill: subtle, stroke: border },
    group: { fill: canvas, stroke: border },
    card: { fill: subtle, stroke: border },
    balancer: { fill: paleBlue, stroke: blue },
    "plain-tag": { fill: canvas, stroke: border },
    "strong-tag": { fill: paleBlue, stroke: blue },
    "odd-tag": { fill: paleAmber, stroke: amber },
    stage: { fill: ["#8c959f", "#656c76"], stroke: none },
    work: { fill: blue, stroke: none },
    step: { fill: ["#8250df", "#a371f7"], stroke: none },
    span: { fill: ["#dafbe1", "#12261e"], stroke: green },
    failures: { fill: red, stroke: none },
};

const TEXTS: Readonly<Record<TextLook, Pair>> = { text, faint, good: green, warning: amber, bad: red };
const LINES: Readonly<Record<LineLook, Pair>> = { edge: faint, "bad-edge": red, grid: border };
const MARKS: Readonly<Record<Meaning, Pair>> = { good: green, warning: amber, bad: red, unknown: faint };

/** Sans-serif, by whatever name: none is fetched. */
const FONTS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif';

/** The style sheet: classes alone, since not every program that shows SVG knows variables. */
export function styleSheet(): string {
    const fixed = [
        `text{font-family:${FONTS};font-variant-numeric:tabular-nums;white-space:pre}`,
        ".bold{font-weight:600}",
        ".dashed{stroke-dasharray:5 4}",
        "path{fill:none}",
        ".sign{stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}",
        ".edge,.bad-edge{stroke-width:1.5}",
    ];
    return [...fixed, ...rules(0), "@media (prefers-color-scheme:dark){", ...rules(1), "}"].join("\n");
}

function rules(index: 0 | 1): string[] {
    return [
        `.canvas{fill:${canvas[index]}}`,
        ...Object.entries(BOXES).map(
            ([look, { fill, stroke }]) => `.${look}{fill:${fill[index]};stroke:${stroke[index]}}`,
        ),
        ...Object.entries(TEXTS).map(([look, pair]) => `.${look}-text{fill:${pair[index]}}`),
        ...Object.entries(LINES).map(([look, pair]) => `.${look}{stroke:${pair[index]}}`),
        ...Object.entries(MARKS).map(([look, pair]) => `.${look}{fill:${pair[index]};stroke:${pair[index]}}`),
        `.sign{fill:none;stroke:${canvas[index]}}`,
        `.unknown{fill:${canvas[index]}}`,
        `.unknown-sign{stroke:${faint[index]}}`,
    ];
}
