import type { Requests } from "../../local/requests";
import { box, label, line, mark, type Shape } from "../picture/shapes";
import { fitted } from "../picture/text-width";
import type { Row, RowGroup, Waterfall } from "./waterfall";

/** Sizes in a timeline's picture, in pixels. */
export const width = 1080;
export const margin = 24;
export const pad = 20;
/** Width of row names. */
export const labelWidth = 240;
/** Start of the run. */
export const axisLeft = margin + pad + labelWidth + 16;
/** Until its end; the rest is for labels after the last bar. */
export const axisWidth = width - margin - pad - 104 - axisLeft;

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
        line("grid", [left, top + 4], [width - left, top + 4]),
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

const requestHeight = 38;
const markSize = 12;

/** Client kinds of the tests' prober. */
const KINDS = new Map([
    ["new", "new connections"],
    ["http2", "HTTP/2"],
    ["watch", "watches"],
    ["keepAlive", "HTTP/1.1 keep-alive"],
]);

/** Rows below a run: each kind of client during the probing, with marks for failed requests. */
export function layOutRequests({ from, to, clients }: Requests, run: Waterfall, top: number) {
    const begin = Date.parse(run.at);
    const since = (at: string) => (Date.parse(at) - begin) / 1000;
    const x = Math.min(placeOf(since(from), run.seconds), axisLeft + axisWidth - markSize);
    const end = Math.max(x + markSize, placeOf(since(to), run.seconds));
    const rows = Object.entries(clients).flatMap(([kind, { requests, failures, longestGap }], index): Shape[] => {
        const y = top + headingHeight + index * requestHeight;
        const failed = failures.filter(({ at }) => since(at) >= 0 && since(at) <= run.seconds);
        const words = `${requests} requests, ${failures.length} failed, gap ${longestGap} ms`;
        const places = apart(
            failed.map(({ at }) => placeOf(since(at), run.seconds)),
            x + markSize / 2,
            end - markSize / 2,
        );
        return [
            label(fitted(KINDS.get(kind) ?? kind, labelWidth - 12, 11), left + 12, y + 15, 11),
            box(
                "span",
                { x, y: y + 4, width: end - x, height: markSize + 4 },
                {
                    radius: 3,
                    hint: `${words} at most`,
                    children: places.map((place) => mark("bad", place, y + 12, markSize)),
                },
            ),
            label(fitted(words, labelWidth - 4, 10), left + 12, y + 29, 10, {
                look: failures.length > 0 ? "bad" : "faint",
            }),
        ];
    });
    return {
        shapes: [...headingShapes("requests", top), ...rows],
        bottom: top + headingHeight + Object.keys(clients).length * requestHeight + 4,
    };
}

/** Merges marks that are too close to distinguish, and keeps all within the probed time. */
export function apart(places: readonly number[], least: number, most: number): number[] {
    const chosen: number[] = [];
    for (const place of places.map((each) => Math.min(Math.max(each, least), most)).sort((a, b) => a - b)) {
        if (chosen.length === 0 || place - chosen.at(-1)! >= markSize) {
            chosen.push(place);
        }
    }
    return chosen;
}
