import { type Box, box, label, type Picture, type Shape } from "../picture/shapes";
import { fitted, wrapped } from "../picture/text-width";
import { shortTime } from "../status/render/short-time";
import { tickLabel, ticks } from "./axis";
import { describe } from "./describe";
import { layOutRequests } from "./request-rows";
import { isWithin, type Requests } from "./requests";
import { groupShapes } from "./rows";
import { axisLeft, axisWidth, margin, pad, width } from "./sizes";
import type { Waterfall } from "./waterfall";

const gap = 16;

/** Where everything of a timeline is in its picture: a panel for each run. The same timeline gives the same picture. */
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
            {
                kind: "line",
                look: "grid",
                points: [
                    [x, rowsTop - 4],
                    [x, y],
                ],
            },
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
