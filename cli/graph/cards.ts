import { type Box, box, type Label, label, line, mark, type Shape } from "../picture/shapes";
import { fitted, widthOf } from "../picture/text-width";
import type { PodOrigin } from "../status/facts";
import type { ControllerView, NodeView, PartView } from "./topology";

/** Pixels. */
export const controllerWidth = 304;
/** Fits a name as long as that of an AWS instance. */
export const workerWidth = 236;
export const workerHeight = 68;
const partsTop = 74;
const partHeight = 36;
const tagHeight = 18;
const inset = 12;

const TAGS: Readonly<
    Record<PodOrigin, { readonly style: Box["style"]; readonly words: string; readonly isDashed?: boolean }>
> = {
    api: { style: "plain-tag", words: "API" },
    static: { style: "strong-tag", words: "static pod" },
    checkpoint: { style: "odd-tag", words: "checkpoint", isDashed: true },
};

interface Place {
    readonly x: number;
    readonly y: number;
}

export function controllerHeight({ parts }: ControllerView): number {
    return partsTop + parts.length * partHeight + 6;
}

/** A controller with its control plane components. */
export function controllerCard(node: ControllerView, at: Place, height: number): Box {
    const parts = node.parts.flatMap((part, index) =>
        partShapes(part, { x: at.x, y: at.y + partsTop + index * partHeight }),
    );
    const { x, y } = at;
    const rule = line("grid", [x, y + partsTop - 4], [x + controllerWidth, y + partsTop - 4]);
    return box(
        "card",
        { ...at, width: controllerWidth, height },
        { hint: hintOf(node), children: [...heading(node, at, controllerWidth), rule, ...parts] },
    );
}

export function workerCard(node: NodeView, at: Place): Box {
    const size = { width: workerWidth, height: workerHeight };
    return box("card", { ...at, ...size }, { hint: hintOf(node), children: heading(node, at, workerWidth) });
}

/** Where a pod runs from. */
export function originTag(origin: PodOrigin, { x, y }: Place): Box {
    const { style, words, isDashed } = TAGS[origin];
    const width = tagWidth(origin);
    const text = label(words, x + width / 2, y + 12.5, 10, { anchor: "middle" });
    return box(style, { x, y, width, height: tagHeight }, { radius: 9, isDashed, children: [text] });
}

export function tagWidth(origin: PodOrigin): number {
    return widthOf(TAGS[origin].words, 10) + 16;
}

/** Name, details and state. */
function heading({ name, meaning, words, where, version }: NodeView, { x, y }: Place, width: number): Shape[] {
    const left = x + 34;
    const room = width - 34 - inset;
    const line = (text: string, down: number, size: number, rest: Partial<Label> = {}) =>
        label(fitted(text, room, size, rest.isBold), left, y + down, size, rest);
    const long = [words, ...(version ? [`kubelet ${version}`] : [])].join(" · ");
    const state = version && widthOf(long, 11) > room ? `${words} · ${version}` : long;
    return [
        mark(meaning, x + 18, y + 19, 16),
        line(name, 24, 13, { isBold: true }),
        line(state, 42, 11, { style: textStyle(meaning) }),
        line(where.join(" · ") || "address unknown", 58, 11, { style: "faint" }),
    ];
}

function partShapes({ component, origin, meaning, words }: PartView, { x, y }: Place): Shape[] {
    const left = x + 34;
    const right = x + controllerWidth - inset;
    const tag = origin && originTag(origin, { x: right - tagWidth(origin), y: y + 4 });
    const room = (tag ? tag.x - 8 : right) - left;
    return [
        mark(meaning, x + 18, y + 13, 12),
        label(fitted(component, room, 12), left, y + 17, 12),
        ...(tag ? [tag] : []),
        label(fitted(words, right - left, 10.5), left, y + 31, 10.5, { style: textStyle(meaning) }),
    ];
}

/** Colored only if something is wrong; the words are sufficient. */
export function textStyle(meaning: NodeView["meaning"]): Label["style"] {
    return meaning === "bad" || meaning === "warning" ? meaning : "faint";
}

function hintOf({ name, words, where, version }: NodeView): string {
    return [name, words, ...(version ? [`kubelet ${version}`] : []), ...where].join(", ");
}
