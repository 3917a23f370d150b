import { isWithin, type Requests } from "../../local/requests";
import { type Box, box, label, line, type Picture, type Shape } from "../picture/shapes";
import { fitted, wrapped } from "../picture/text-width";
import { shortTime } from "../status/render/table";
import { axisLeft, axisWidth, groupShapes, layOutRequests, margin, pad, width } from "./rows";
import type { Waterfall } from "./waterfall";

const gap = 16;

/** Lays out a timeline, with a panel for each run. Deterministic: the same timeline gives the same picture. */
export function layOut(cluster: string, runs: readonly Waterfall[], requests?: Requests): Picture {
    const panels: Box[] = [];
    let y = margin + 44;
    for (const run of runs) {
        const panel = panelOf(run, y, requests && overlaps(run, requests) ? requests : undefined);
        panels.push(panel);
        y = panel.y + panel.height + gap;
    }
    return {
        width,
        height: y - gap + margin,
        title: `Timeline of the cluster ${cluster}`,
        description: describe(runs, requests),
        shapes: [
            label(fitted(cluster, width - 2 * margin, 22, true), margin, margin + 20, 22, { isBold: true }),
            ...panels,
        ],
    };
}

export function overlaps({ at, seconds }: Waterfall, requests: Requests): boolean {
    return isWithin(requests, Date.parse(at), Date.parse(at) + 1000 * seconds);
}

function panelOf(run: Waterfall, top: number, requests: Requests | undefined): Box {
    const left = margin + pad;
    const inner = width - 2 * margin - 2 * pad;
    const about = `${shortTime(run.at)} · ${run.seconds.toFixed(1)} s${run.changes && ` · ${run.changes}`}`;
    const lines = wrapped(about, inner, 11.5);
    const rowsTop = top + 40 + lines.length * 16 + 26;
    const rows: Shape[] = [];
    let y = rowsTop;
    for (const group of run.groups) {
        const { shapes, bottom } = groupShapes(group, y, run.seconds);
        rows.push(...shapes);
        y = bottom;
    }
    if (requests !== undefined) {
        const { shapes, bottom } = layOutRequests(requests, run, y);
        rows.push(...shapes);
        y = bottom;
    }
    const grid = ticks(run.seconds).flatMap((tick): Shape[] => {
        const x = axisLeft + (tick / Math.max(run.seconds, 0.001)) * axisWidth;
        return [
            line("grid", [x, rowsTop - 4], [x, y]),
            label(tickLabel(tick), x, rowsTop - 9, 10, { look: "faint", anchor: "middle" }),
        ];
    });
    return box(
        "group",
        { x: margin, y: top, width: width - 2 * margin, height: y + pad - top },
        {
            radius: 10,
            children: [
                label(run.name, left, top + 28, 15, { isBold: true }),
                ...lines.map((line, index) => label(line, left, top + 46 + index * 16, 11.5, { look: "faint" })),
                ...grid,
                ...rows,
            ],
        },
    );
}

/** Seconds between grid lines. */
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 86400];

/** At most this many grid lines at round numbers of seconds, starting at 0. */
export function ticks(seconds: number, most = 9): number[] {
    const step = STEPS.find((each) => seconds / each <= most) ?? Math.ceil(seconds / most / 86400) * 86400;
    return Array.from({ length: Math.floor(seconds / step + 1e-9) + 1 }, (_, index) => index * step);
}

/** Such as `12 s`, `2:30 min` and `1:30 h`. */
export function tickLabel(seconds: number): string {
    if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
    const [large, small, unit] = seconds < 3600 ? [60, 1, "min"] : [3600, 60, "h"];
    const rest = Math.round((seconds % large) / small);
    return rest === 0
        ? `${Math.floor(seconds / large)} ${unit}`
        : `${Math.floor(seconds / large)}:${String(rest).padStart(2, "0")} ${unit}`;
}

/** Text description of the picture, for accessibility. */
function describe(runs: readonly Waterfall[], requests?: Requests): string {
    const ofRuns = runs.flatMap(({ name, at, seconds, changes, groups }) => [
        `${name} at ${at}: ${seconds.toFixed(1)} s${changes && `, ${changes}`}`,
        ...groups.map(
            (group) => `${group.name}: ${group.rows.map(({ label, words }) => `${label} ${words}`).join("; ")}`,
        ),
    ]);
    const ofClients = Object.entries(requests?.clients ?? {}).map(
        ([kind, { requests: count, failures }]) => `Requests of ${kind}: ${count}, ${failures.length} failed`,
    );
    return [...ofRuns, ...ofClients].map((sentence) => `${sentence}.`).join("\n");
}
