/** Characters that a comment shows of a line of a code block, where it does not wrap. */
const shown = 96;
/** What goes on in another line stands behind what it belongs to. */
const behind = "    ";

/** A line as lines that a reader sees whole. A word that is longer stays whole. */
export function wrappedLine(line: string): string[] {
    const indent = /^ */.exec(line)![0];
    const lines: string[] = [];
    let last = indent;
    for (const word of line.slice(indent.length).split(" ")) {
        const isFirst = last.trim() === "";
        if (!isFirst && last.length + 1 + word.length > shown) {
            lines.push(last);
            last = `${indent}${behind}${word}`;
        } else {
            last += isFirst ? word : ` ${word}`;
        }
    }
    return [...lines, last];
}
