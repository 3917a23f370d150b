import { box, label, type Shape } from "../picture/shapes";
import { fitted } from "../picture/text-width";
import { axisLeft, axisWidth, labelWidth, margin, pad, width } from "./sizes";
import type { Row, RowGroup } from "./waterfall";

const headingHeight = 30;
const rowHeight = 21;
const barHeight = 11;
/** Minimum width of a bar. */
const leastBar = 2;
const left = margin + pad;

/** A group's name, its bars, and a note about omitted rows. */
export function groupShapes({ name, rows, rest }: RowGroup, top: number, seconds: number) {
    const bars = rows.flatMap((row, index) => rowShapes(row, top + headingHeight + index * rowHeight, seconds));
    let bottom = top + headingHeight + rows.length * rowHeight;
    const more: Shape[] = [];
    if (rest !== undefined) {
        more.push(label(fitted(rest, labelWidth - 12, 10), left + 12, bottom + 13, 10, { look: "faint" }));
        bottom += rowHeight;
    }
    return { shapes: [...headingShapes(name, top), ...bars, ...more], bottom: bottom + 4 };
}

/** A name above a line across the panel. */
export function headingShapes(name: string, top: number): Shape[] {
    return [
        {
            kind: "line",
            look: "grid",
            points: [
                [left, top + 4],
                [width - left, top + 4],
            ],
        },
        label(fitted(name, labelWidth, 12, true), left, top + 23, 12, { isBold: true }),
    ];
}

/** Horizontal position of a time in the run. */
export function placeOf(second: number, seconds: number): number {
    return axisLeft + (seconds > 0 ? Math.min(1, Math.max(0, second / seconds)) : 0) * axisWidth;
}

function rowShapes({ label: name, start, seconds: took, kind, words }: Row, top: number, seconds: number): Shape[] {
    const end = placeOf(start + took, seconds);
    const x = Math.min(placeOf(start, seconds), axisLeft + axisWidth - leastBar);
    const at = { x, y: top + 5, width: Math.max(leastBar, end - x), height: barHeight };
    return [
        label(fitted(name, labelWidth - 12, 11), left + 12, top + 14, 11),
        box(kind, at, { radius: 3, hint: `${name}: ${words}, from ${start.toFixed(1)} s` }),
        label(fitted(words, 96, 10), at.x + at.width + 6, top + 14, 10, { look: "faint" }),
    ];
}
