import { type Label, label, type Meaning, mark, type Shape } from "../picture/shapes";
import { widthOf } from "../picture/text-width";
import type { PodOrigin } from "../status/facts";
import { originTag, tagWidth } from "./cards";

const ORIGINS: readonly (readonly [PodOrigin, string])[] = [
    ["api", "runs from the API"],
    ["checkpoint", "runs from a checkpoint"],
    ["static", "runs from a file on the machine"],
];

const MEANINGS: readonly (readonly [Meaning, string])[] = [
    ["good", "healthy"],
    ["warning", "needs attention"],
    ["bad", "wrong"],
    ["unknown", "unknown"],
];

const size = 11;
const lineHeight = 26;
const gap = 20;

interface Item {
    readonly width: number;
    draw(x: number, y: number): Shape[];
}

/** Explains the signs and tags: in one line, or one line for each kind. */
export function legend(at: { readonly x: number; readonly y: number; readonly width: number }) {
    const kinds = [ORIGINS.map(originItem), MEANINGS.map(meaningItem)];
    const all = kinds.flat();
    const isOneLine = all.reduce((sum, { width }) => sum + width + gap, -gap) <= at.width;
    const shapes: Shape[] = [];
    let y = at.y;
    for (const items of isOneLine ? [all] : kinds) {
        let x = at.x;
        for (const item of items) {
            if (x > at.x && x + item.width > at.x + at.width) {
                x = at.x;
                y += lineHeight;
            }
            shapes.push(...item.draw(x, y));
            x += item.width + gap;
        }
        y += lineHeight;
    }
    return { shapes, bottom: y - 6 };
}

function originItem([origin, text]: (typeof ORIGINS)[number]): Item {
    const left = tagWidth(origin) + 8;
    return {
        width: left + widthOf(text, size),
        draw: (x, y) => [originTag(origin, { x, y }), words(text, x + left, y)],
    };
}

function meaningItem([meaning, text]: (typeof MEANINGS)[number]): Item {
    return {
        width: 20 + widthOf(text, size),
        draw: (x, y) => [mark(meaning, x + 7, y + 9, 12), words(text, x + 20, y)],
    };
}

function words(text: string, x: number, y: number): Label {
    return label(text, x, y + 13, size, { style: "faint" });
}
