import { markShape } from "./mark";
import type { Box, Label, Line, Picture, Shape } from "./shapes";
import { styleSheet } from "./theme";

/** A picture as an SVG file: it loads nothing, runs nothing, and follows the reader's light or dark. */
export function renderSvg({ width, height, title, description, shapes }: Picture): string {
    const size = `width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}"`;
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title description">`,
        `<title id="title">${escaped(title)}</title>`,
        `<desc id="description">${escaped(description)}</desc>`,
        `<style>\n${styleSheet()}\n</style>`,
        `<rect class="canvas" width="${number(width)}" height="${number(height)}" rx="8"/>`,
        ...shapes.flatMap(lines),
        "</svg>",
        "",
    ].join("\n");
}

function lines(shape: Shape): string[] {
    switch (shape.kind) {
        case "box":
            return boxLines(shape);
        case "label":
            return [text(shape)];
        case "line":
            return [path(shape)];
        case "mark":
            return [markShape(shape)];
    }
}

function boxLines({ look, x, y, width, height, radius = 6, isDashed, hint, children }: Box): string[] {
    const corner = Math.min(radius, width / 2, height / 2);
    const at = `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
    const rect = `<rect class="${look}${isDashed ? " dashed" : ""}" ${at} rx="${number(corner)}"/>`;
    const inside = [rect, ...children.flatMap(lines)];
    return hint === undefined ? inside : ["<g>", `<title>${escaped(hint)}</title>`, ...inside, "</g>"];
}

function text({ x, y, text: content, size, look = "text", anchor = "start", isBold }: Label): string {
    const side = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
    const classes = `${look}-text${isBold ? " bold" : ""}`;
    return `<text class="${classes}" x="${number(x)}" y="${number(y)}" font-size="${size}"${side}>${escaped(content)}</text>`;
}

function path({ points, look, isDashed }: Line): string {
    const steps = points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${number(x)} ${number(y)}`);
    return `<path class="${look}${isDashed ? " dashed" : ""}" d="${steps.join("")}"/>`;
}

/** A tenth of a pixel is enough for anybody. */
function number(value: number): string {
    return String(Math.round(value * 10) / 10);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text as XML takes it: what XML has no way to write becomes a replacement character. */
export function escaped(content: string): string {
    return content
        .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}")
        .replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}
