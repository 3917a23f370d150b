/**
 * Character widths of DejaVu Sans, in thousandths of the font size, from the font file. It is the widest of the fonts that
 * pictures use, so text that fits in it fits in the others.
 */
const WIDTHS: Readonly<Record<number, string>> = {
    275: "'",
    278: "ijl",
    295: "IJ",
    318: " ,.·",
    337: "/:;\\|",
    352: "f",
    361: "-",
    390: "()[]",
    392: "t",
    401: "!",
    411: "r",
    460: '"',
    500: "*_`",
    521: "s",
    525: "z",
    531: "?",
    550: "c",
    557: "L",
    575: "F",
    579: "k",
    592: "vxy",
    603: "P",
    611: "TY",
    612: "o",
    613: "a",
    615: "e",
    632: "E",
    634: "hnu",
    636: "Sbdgpq$0123456789{}",
    656: "K",
    684: "AV",
    686: "BXZ",
    698: "CR",
    732: "U",
    748: "N",
    752: "H",
    770: "D",
    780: "G&",
    787: "OQ",
    818: "w",
    838: "#+<=>^~→",
    863: "M",
    950: "%",
    974: "m",
    989: "W",
};

/** Width of any other character: assumed square. */
const OTHER = 1000;

/** The bold font is at most this much wider, for every character. */
const BOLD = 1.27;

const byCharacter = new Map(
    Object.entries(WIDTHS).flatMap(([width, characters]) => [...characters].map((each) => [each, Number(width)])),
);

/** Maximum width of a text in pixels. */
export function widthOf(text: string, size: number, isBold = false): number {
    const thousandths = [...text].reduce((sum, each) => sum + (byCharacter.get(each) ?? OTHER), 0);
    return (thousandths * size * (isBold ? BOLD : 1)) / 1000;
}

/** Truncates a text to this width. */
export function fitted(text: string, width: number, size: number, isBold = false): string {
    if (widthOf(text, size, isBold) <= width) {
        return text;
    }
    const characters = [...text];
    while (characters.length > 0 && widthOf(`${characters.join("").trimEnd()}…`, size, isBold) > width) {
        characters.pop();
    }
    return `${characters.join("").trimEnd()}…`;
}

/** Wraps a text to this width; words that are too long are truncated. */
export function wrapped(text: string, width: number, size: number): string[] {
    const lines: string[] = [];
    for (const word of text.split(/\s+/).filter(Boolean)) {
        const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
        if (lines.length > 0 && widthOf(longer, size) <= width) {
            lines[lines.length - 1] = longer;
        } else {
            lines.push(fitted(word, width, size));
        }
    }
    return lines;
}
