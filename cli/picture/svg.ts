import { matching, value } from "../../command-line/parse";
import { replaceFile } from "../../command-line/replace-file";
import {
    type Box,
    type Label,
    type Line,
    type Mark,
    type Meaning,
    type Picture,
    type Shape,
    styleSheet,
} from "./shapes";

/** Renders a picture as SVG: without external resources or scripts, for light and dark mode. */
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

function boxLines({ style, x, y, width, height, radius = 6, isDashed, hint, children }: Box): string[] {
    const corner = Math.min(radius, width / 2, height / 2);
    const at = `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
    const rect = `<rect class="${style}${isDashed ? " dashed" : ""}" ${at} rx="${number(corner)}"/>`;
    const inside = [rect, ...children.flatMap(lines)];
    return hint === undefined ? inside : ["<g>", `<title>${escaped(hint)}</title>`, ...inside, "</g>"];
}

function text({ x, y, text: content, size, style = "text", anchor = "start", isBold }: Label): string {
    const side = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
    const classes = `${style}-text${isBold ? " bold" : ""}`;
    return `<text class="${classes}" x="${number(x)}" y="${number(y)}" font-size="${size}"${side}>${escaped(content)}</text>`;
}

function path({ points, style, isDashed }: Line): string {
    const steps = points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${number(x)} ${number(y)}`);
    return `<path class="${style}${isDashed ? " dashed" : ""}" d="${steps.join("")}"/>`;
}

/** A precision of a tenth of a pixel is enough. */
function number(value: number): string {
    return String(Math.round(value * 10) / 10);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for XML; invalid characters become replacement characters. */
export function escaped(content: string): string {
    return content
        .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}")
        .replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

/** @param otherwise - name of the file by default */
export function pictureOption(otherwise: string) {
    const check = matching("a .svg file, or - for standard output", /^-$|[^/]\.svg$/);
    return value("FILE.svg", "output file; - for standard output", check, { short: "o", otherwise });
}

/** Writes a picture and reports its location. */
export function writePicture(output: string, svg: string): void {
    if (output === "-") {
        process.stdout.write(svg);
        return;
    }
    replaceFile(output, svg);
    console.log(`written to ${output}`);
}

/** Paths in a square from -1 to 1: the background shape and the sign on it. */
const FORMS: Readonly<Record<Meaning, { readonly form: string; readonly sign: string }>> = {
    /** A disc with a check mark. */
    good: { form: "M-1 0A1 1 0 0 1 1 0A1 1 0 0 1 -1 0Z", sign: "M-.45 .02L-.12 .36L.46 -.32" },
    /** A triangle with an exclamation mark. */
    warning: { form: "M0 -.95L1 .85L-1 .85Z", sign: "M0 -.25L0 .2M0 .53L0 .54" },
    /** A square with a cross. */
    bad: { form: "M-.9 -.9L.9 -.9L.9 .9L-.9 .9Z", sign: "M-.4 -.4L.4 .4M.4 -.4L-.4 .4" },
    /** A disc with a question mark. */
    unknown: {
        form: "M-1 0A1 1 0 0 1 1 0A1 1 0 0 1 -1 0Z",
        sign: "M-.32 -.25A.33 .33 0 1 1 .12 .06Q0 .12 0 .25M0 .56L0 .57",
    },
};

/** The two paths of a mark, scaled and moved. */
function markShape({ meaning, x, y, size }: Mark): string {
    const { form, sign } = FORMS[meaning];
    const half = size / 2;
    return `<path class="${meaning}" d="${placed(form, x, y, half)}"/><path class="sign ${meaning}-sign" d="${placed(sign, x, y, half)}"/>`;
}

/** Radii and flags of arcs are not moved. */
function placed(path: string, x: number, y: number, half: number): string {
    return path.replace(/([MLAQ])([^MLAQZ]*)/g, (_, command: string, rest: string) => {
        const numbers = (rest.match(/-?\.?\d+(?:\.\d+)?/g) ?? []).map(Number);
        const moved =
            command === "A"
                ? [
                      numbers[0]! * half,
                      numbers[1]! * half,
                      ...numbers.slice(2, 5),
                      ...point(numbers.slice(5), x, y, half),
                  ]
                : point(numbers, x, y, half);
        return `${command}${moved.map((each) => Math.round(each * 100) / 100).join(" ")}`;
    });
}

function point(numbers: readonly number[], x: number, y: number, half: number): number[] {
    return numbers.map((each, index) => (index % 2 === 0 ? x : y) + each * half);
}
