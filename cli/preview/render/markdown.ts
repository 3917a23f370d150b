/** Text between others, as code: nothing in it is markup, and nobody is mentioned. */
export function code(text: string): string {
    const fence = "`".repeat(longestRun(text) + 1);
    const room = text.startsWith("`") || text.endsWith("`") ? " " : "";
    return `${fence}${room}${text.replaceAll(/\s*\n\s*/g, " ")}${room}${fence}`;
}

/** A block of lines, in the language in which it is coloured. */
export function block(lines: readonly string[], language = ""): string[] {
    const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
    return [`${fence}${language}`, ...lines, fence];
}

/** Cells of a row; one has code in it at will, but no line end and no bar. */
function row(cells: readonly string[]): string {
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ")).join(" | ")} |`;
}

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
    return [row(headings), row(headings.map(() => "---")), ...rows.map(row)];
}

/** Words of others, between ours. */
export function plainText(text: string): string {
    return text.replaceAll(/[\\`*_<>[\]#@|~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function longestRun(text: string): number {
    return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

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
