import type { Requests } from "../../local/requests";
import { box, label, mark, type Shape } from "../picture/shapes";
import { fitted } from "../picture/text-width";
import { headingShapes, placeOf } from "./rows";
import { axisLeft, axisWidth, labelWidth, margin, pad } from "./sizes";
import type { Waterfall } from "./waterfall";

const headingHeight = 30;
const rowHeight = 38;
const markSize = 12;
const left = margin + pad;

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
        const y = top + headingHeight + index * rowHeight;
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
        bottom: top + headingHeight + Object.keys(clients).length * rowHeight + 4,
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
