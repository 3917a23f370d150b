import { type Box, box, label, line, mark, type Rectangle, type Shape } from "../picture/shapes";
import { fitted, widthOf } from "../picture/text-width";
import { controllerCard, controllerHeight, controllerWidth, textStyle } from "./cards";
import type { ControllerView, Topology } from "./topology";

/** Layout of a group, in pixels. */
export const pad = 16;
export const gap = 16;
export const headingHeight = 38;

export interface GroupPlace {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    /** Area of the cards. */
    readonly content: number;
}

/** Number of cards of this width per row. */
export function columnsOf(count: number, each: number, { content }: GroupPlace): number {
    const most = Math.floor((content + gap) / (each + gap));
    return Math.max(1, Math.min(count, most));
}

/** Left edge of the first card; the cards are centered. */
export function leftOf(columns: number, each: number, { x, width }: GroupPlace): number {
    return x + (width - (columns * each + (columns - 1) * gap)) / 2;
}

/** Height of the lines between the load balancer and the cards below, in pixels. */
const wayHeight = 34;

/** The controllers, three per row, with lines from the load balancer, which start outside the group. */
export function controllerGroup(
    { controllers, etcd }: Pick<Topology, "controllers" | "etcd">,
    place: GroupPlace,
    balancer: Rectangle,
): Box {
    const { x, y, width } = place;
    const columns = columnsOf(controllers.length, controllerWidth, place);
    const left = leftOf(columns, controllerWidth, place);
    const rows = Array.from({ length: Math.ceil(controllers.length / columns) }, (_, row) =>
        controllers.slice(row * columns, (row + 1) * columns),
    );
    const cards: Box[] = [];
    const edges: Shape[] = [];
    const middle = balancer.x + balancer.width / 2;
    let bottom = y + headingHeight;
    rows.forEach((row, index) => {
        const top = bottom + wayHeight;
        const height = Math.max(...row.map(controllerHeight));
        const boxes = row.map((node, column) =>
            controllerCard(node, { x: left + column * (controllerWidth + gap), y: top }, height),
        );
        // Lines to the first row come straight from the load balancer, others run along the side of the group.
        const from =
            index === 0 ? { x: middle, y: balancer.y + balancer.height } : { x: x + pad / 2, y: y + headingHeight + 6 };
        edges.push(...waysTo(row, boxes, from, bottom + 6));
        cards.push(...boxes);
        bottom = top + height;
    });
    if (rows.length > 1) {
        const start = y + headingHeight + 6;
        edges.unshift(line("edge", [middle, start], [x + pad / 2, start]));
    }
    const placeholder =
        controllers.length === 0 ? [label("none known", x + pad, bottom + 10, 12, { style: "faint" })] : [];
    const words = fitted(etcd.words, width / 2 - pad - 44, 11);
    const right = x + width - pad;
    return box(
        "group",
        { x, y, width, height: bottom + pad + (placeholder.length > 0 ? 8 : 0) - y },
        {
            radius: 8,
            children: [
                label("controllers", x + pad, y + 25, 13, { isBold: true }),
                mark(etcd.meaning, right - widthOf(words, 11) - 12, y + 20, 12),
                label(words, right, y + 24, 11, { style: textStyle(etcd.meaning), anchor: "end" }),
                ...cards,
                ...placeholder,
                ...edges,
            ],
        },
    );
}

/** A line to each apiserver; to one that is not serving, it is broken and labeled with the reason. */
function waysTo(
    nodes: readonly ControllerView[],
    cards: readonly Box[],
    from: { readonly x: number; readonly y: number },
    turn: number,
): Shape[] {
    const middles = cards.map(({ x, width }) => x + width / 2);
    const [first, last] = [Math.min(from.x, ...middles), Math.max(from.x, ...middles)];
    const isDashed = nodes.every(({ apiserver }) => apiserver.meaning !== "good");
    const drops = nodes.flatMap(({ apiserver: { meaning, words } }, index): Shape[] => {
        const x = middles[index]!;
        const end = cards[index]!.y - 7;
        const why = fitted(words, cards[index]!.width / 2 - 14, 10);
        const style = meaning === "bad" ? "bad-edge" : "edge";
        return [
            line(style, [x, turn], [x, end], meaning !== "good"),
            mark(meaning, x, end, 12),
            ...(meaning === "good" ? [] : [label(why, x + 11, end - 1, 10, { style: textStyle(meaning) })]),
        ];
    });
    const trunk = line("edge", [from.x, from.y], [from.x, turn], isDashed);
    const spread = line("edge", [first, turn], [last, turn], isDashed);
    return [trunk, ...(first < last ? [spread] : []), ...drops];
}
