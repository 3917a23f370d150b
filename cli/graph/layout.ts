import { clouds } from "../../cluster/clouds";
import { type Box, box, type Label, label, mark, type Picture, type Shape } from "../picture/shapes";
import { fitted, widthOf, wrapped } from "../picture/text-width";
import type { PodOrigin } from "../status/facts";
import { shortTime } from "../status/render/table";
import { controllerWidth, workerCard, workerHeight, workerWidth } from "./cards";
import { columnsOf, controllerGroup, type GroupPlace, gap, headingHeight, leftOf, pad } from "./controller-group";
import { legend } from "./legend";
import type { Cloud } from "./stack-facts";
import type { ControllerView, NodeView, PartView, PoolView, Topology } from "./topology";

/** Pixels. */
const margin = 24;
const framePad = 20;
const groupPad = 16;
const layoutGap = 16;
const leastContent = 592;
const lineHeight = 18;
const balancerHeight = 56;

const placeOf = (cloud: Cloud) => (cloud === "local" ? "on one machine" : `on ${clouds[cloud].title}`);
const networkOf = (cloud: Cloud) => (cloud === "local" ? "network" : "VPC");

/** Lays out a topology. Deterministic: the same topology gives the same picture. */
export function layOut(topology: Topology): Picture {
    const content = contentWidth(topology);
    const width = content + 2 * (margin + framePad + groupPad);
    const inner = width - 2 * margin;
    const top = header(topology, inner);
    const frame = frameOf(topology, { y: top.bottom + layoutGap, width: inner, content });
    const below = legend({ x: margin, y: frame.y + frame.height + layoutGap, width: inner });
    return {
        width,
        height: below.bottom + margin,
        title: `Topology of the cluster ${topology.cluster}`,
        description: describe(topology),
        shapes: [...top.shapes, frame, ...below.shapes],
    };
}

/** Number of cards per row, up to the width of a page. */
function contentWidth({ controllers, pools }: Topology): number {
    const row = (count: number, most: number, each: number) => {
        const columns = Math.min(most, Math.max(1, count));
        return columns * each + (columns - 1) * layoutGap;
    };
    const largest = Math.max(0, ...pools.map(({ nodes }) => nodes.length));
    return Math.max(leastContent, row(controllers.length, 3, controllerWidth), row(largest, 4, workerWidth));
}

interface Section {
    readonly shapes: readonly Shape[];
    readonly bottom: number;
}

/** The cluster's name, the verdict and the problems: at the top. */
function header({ cluster, verdict, cloud, versions, at, findings }: Topology, width: number): Section {
    const facts = [...(cloud ? [placeOf(cloud)] : []), ...versions, shortTime(at)].join(" · ");
    const nameWidth = widthOf(cluster, 22, true);
    const shapes: Shape[] = [
        label(fitted(cluster, width, 22, true), margin, margin + 20, 22, { isBold: true }),
        label(fitted(facts, width, 12), margin, margin + 42, 12, { style: "faint" }),
    ];
    const words = fitted(verdict.words, Math.max(0, width - nameWidth - 48), 13, true);
    if (nameWidth + 48 < width) {
        const x = margin + nameWidth + 16;
        const style: Label["style"] = verdict.meaning === "unknown" ? "faint" : verdict.meaning;
        shapes.push(mark(verdict.meaning, x + 8, margin + 13, 16));
        shapes.push(label(words, x + 22, margin + 18, 13, { isBold: true, style }));
    }
    let bottom = margin + (findings.length > 0 ? 56 : 50);
    for (const finding of findings) {
        const lines = wrapped(finding.words, width - 24, 12);
        shapes.push(mark(finding.meaning, margin + 7, bottom + 10, 13));
        lines.forEach((line, index) => {
            shapes.push(label(line, margin + 22, bottom + 14 + index * lineHeight, 12));
        });
        bottom += Math.max(1, lines.length) * lineHeight + 4;
    }
    return { shapes, bottom };
}

interface FramePlace {
    readonly y: number;
    readonly width: number;
    readonly content: number;
}

/** The network and everything in it. */
function frameOf(topology: Topology, { y, width, content }: FramePlace): Box {
    const { network, cloud, controllers, etcd, pools } = topology;
    const left = margin + framePad;
    const inner = width - 2 * framePad;
    const name = [cloud ? networkOf(cloud) : "network", network.block ?? (cloud ? "(existing)" : "")].join(" ");
    const details = wrapped([...network.blocks, ...network.subnets].join(" · "), inner, 11);
    const heading = [
        label(fitted(name.trim(), inner, 13, true), left, y + 26, 13, { isBold: true }),
        ...details.map((line, index) => label(line, left, y + 44 + index * 15, 11, { style: "faint" })),
    ];
    const balancer = balancerOf(topology, left + inner / 2, y + 44 + details.length * 15);
    const place = (top: number) => ({ x: left, y: top, width: inner, content });
    const group = controllerGroup({ controllers, etcd }, place(balancer.y + balancerHeight + layoutGap), balancer);
    let bottom = group.y + group.height;
    const groups = pools.map((pool) => {
        const each = poolGroup(pool, place(bottom + layoutGap));
        bottom = each.y + each.height;
        return each;
    });
    return box(
        "frame",
        { x: margin, y, width, height: bottom + framePad - y },
        { radius: 10, children: [...heading, balancer, group, ...groups] },
    );
}

function balancerOf({ api }: Topology, middle: number, y: number): Box {
    const most = leastContent - 40;
    const words = fitted(`${api.address} · ${api.words}`, most, 11);
    const width = Math.max(260, widthOf(words, 11) + 60);
    const x = middle - width / 2;
    return box(
        "balancer",
        { x, y, width, height: balancerHeight },
        {
            hint: `API: ${api.address}, ${api.words}`,
            children: [
                mark(api.meaning, x + 22, y + balancerHeight / 2, 18),
                label(api.title, x + 42, y + 24, 13, { isBold: true }),
                label(words, x + 42, y + 42, 11),
            ],
        },
    );
}

const ORIGINS: Readonly<Record<PodOrigin, string>> = {
    api: "the API",
    static: "a static pod",
    checkpoint: "a checkpoint",
};

/** Text description of the picture, for accessibility. */
function describe({ verdict, api, controllers, etcd, pools, findings }: Topology): string {
    return [
        verdict.words,
        ...findings.map(({ words }) => words.replace(/\.$/, "")),
        `${api.title} ${api.address}: ${api.words}`,
        etcd.words,
        ...controllers.map((node) => `Controller ${nodeWords(node)}: ${partsOf(node)}`),
        ...pools.map(({ name, size, nodes }) => [`Pool ${name}: ${size}`, ...nodes.map(nodeWords)].join("; ")),
    ]
        .map((sentence) => `${sentence}.`)
        .join("\n");
}

function nodeWords({ name, words, where }: NodeView): string {
    return [name, words, ...where].join(", ");
}

function partsOf({ parts }: ControllerView): string {
    return parts.map(partWords).join("; ");
}

function partWords({ component, words, origin }: PartView): string {
    return `${component} ${words}${origin ? `, from ${ORIGINS[origin]}` : ""}`;
}

/** A pool's nodes, four per row. */
function poolGroup({ name, size, nodes }: PoolView, place: GroupPlace): Box {
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
                label(fitted(size, half, 11), x + width - pad, y + 24, 11, { anchor: "end", style: "faint" }),
                ...cards,
            ],
        },
    );
}
