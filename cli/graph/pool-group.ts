import { type Box, box, label } from "../picture/shapes";
import { fitted } from "../picture/text-width";
import { workerCard, workerHeight, workerWidth } from "./cards";
import { columnsOf, type GroupPlace, gap, headingHeight, leftOf, pad } from "./group-place";
import type { PoolView } from "./topology";

/** A pool's nodes, four in a row. */
export function poolGroup({ name, size, nodes }: PoolView, place: GroupPlace): Box {
    const { x, y, width } = place;
    const columns = columnsOf(nodes.length, workerWidth, place);
    const left = leftOf(columns, workerWidth, place);
    const cards = nodes.map((node, index) =>
        workerCard(node, {
            x: left + (index % columns) * (workerWidth + gap),
            y: y + headingHeight + Math.floor(index / columns) * (workerHeight + gap),
        }),
    );
    const rows = Math.ceil(nodes.length / columns);
    const height = headingHeight + (rows === 0 ? 0 : rows * (workerHeight + gap) - gap + pad);
    const half = width / 2 - pad;
    return box(
        "group",
        { x, y, width, height },
        {
            radius: 8,
            children: [
                label(fitted(`pool ${name}`, half - 8, 13, true), x + pad, y + 25, 13, { isBold: true }),
                label(fitted(size, half, 11), x + width - pad, y + 24, 11, { anchor: "end", look: "faint" }),
                ...cards,
            ],
        },
    );
}
