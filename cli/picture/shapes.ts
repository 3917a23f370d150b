/** Shapes of a picture: plain data, in pixels from the top left corner. */
export interface Picture {
    readonly width: number;
    readonly height: number;
    /** Description for accessibility. */
    readonly title: string;
    readonly description: string;
    readonly shapes: readonly Shape[];
}

export type Shape = Box | Label | Line | Mark;

export interface Rectangle {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
}

export interface Box extends Rectangle {
    readonly kind: "box";
    readonly style: BoxStyle;
    /** Corner radius. @default 6 */
    readonly radius?: number;
    readonly isDashed?: boolean;
    /** Shown as a tooltip. */
    readonly hint?: string;
    /** Shapes inside the box. */
    readonly children: readonly Shape[];
}

export interface Label {
    readonly kind: "label";
    /** Position of its start, middle or end, depending on the anchor. */
    readonly x: number;
    /** Baseline. */
    readonly y: number;
    readonly text: string;
    readonly size: number;
    /** @default "text" */
    readonly style?: TextStyle;
    /** @default "start" */
    readonly anchor?: "start" | "middle" | "end";
    readonly isBold?: boolean;
}

export interface Line {
    readonly kind: "line";
    readonly points: readonly (readonly [x: number, y: number])[];
    readonly style: LineStyle;
    readonly isDashed?: boolean;
}

/** A sign whose shape differs for each meaning, so that color is not required. */
export interface Mark {
    readonly kind: "mark";
    readonly meaning: Meaning;
    /** Center. */
    readonly x: number;
    readonly y: number;
    /** Width. */
    readonly size: number;
}

export type Meaning = "good" | "warning" | "bad" | "unknown";
type TextStyle = "text" | "faint" | "good" | "warning" | "bad";
type LineStyle = "edge" | "bad-edge" | "grid";
type BoxStyle =
    | "frame"
    | "group"
    | "card"
    | "balancer"
    | "plain-tag"
    | "strong-tag"
    | "odd-tag"
    | "stage"
    | "work"
    | "step"
    | "span"
    | "failures";

export const box = (style: BoxStyle, at: Rectangle, rest: Partial<Omit<Box, "kind" | "style">> = {}): Box => ({
    kind: "box",
    style,
    children: [],
    ...at,
    ...rest,
});

type Point = Line["points"][number];

export const line = (style: LineStyle, from: Point, to: Point, isDashed = false): Line => ({
    kind: "line",
    style,
    points: [from, to],
    isDashed,
});

export const label = (text: string, x: number, y: number, size: number, rest: Partial<Label> = {}): Label => ({
    kind: "label",
    text,
    x,
    y,
    size,
    ...rest,
});

export const mark = (meaning: Meaning, x: number, y: number, size = 14): Mark => ({
    kind: "mark",
    meaning,
    x,
    y,
    size,
});

/** Each color for light and dark mode: the viewer chooses, like GitHub. */
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

const BOXES: Readonly<Record<BoxStyle, { readonly fill: Pair; readonly stroke: Pair }>> = {
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

const TEXTS: Readonly<Record<TextStyle, Pair>> = { text, faint, good: green, warning: amber, bad: red };
const LINES: Readonly<Record<LineStyle, Pair>> = { edge: faint, "bad-edge": red, grid: border };
const MARKS: Readonly<Record<Meaning, Pair>> = { good: green, warning: amber, bad: red, unknown: faint };

/** Any sans-serif font; none is downloaded. */
const FONTS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif';

/** The style sheet; only uses classes, because some SVG viewers do not support variables. */
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
            ([style, { fill, stroke }]) => `.${style}{fill:${fill[index]};stroke:${stroke[index]}}`,
        ),
        ...Object.entries(TEXTS).map(([style, pair]) => `.${style}-text{fill:${pair[index]}}`),
        ...Object.entries(LINES).map(([style, pair]) => `.${style}{stroke:${pair[index]}}`),
        ...Object.entries(MARKS).map(([style, pair]) => `.${style}{fill:${pair[index]};stroke:${pair[index]}}`),
        `.sign{fill:none;stroke:${canvas[index]}}`,
        `.unknown{fill:${canvas[index]}}`,
        `.unknown-sign{stroke:${faint[index]}}`,
    ];
}
