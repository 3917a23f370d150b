/** Inline code, without markup or mentions. */
export function code(text: string): string {
    const fence = "`".repeat(longestRun(text) + 1);
    const room = text.startsWith("`") || text.endsWith("`") ? " " : "";
    return `${fence}${room}${text.replaceAll(/\s*\n\s*/g, " ")}${room}${fence}`;
}

/** A code block, with a language for syntax coloring. */
export function block(lines: readonly string[], language = ""): string[] {
    const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
    return [`${fence}${language}`, ...lines, fence];
}

/** A table row; cells may contain code, but line breaks and bars are escaped. */
function row(cells: readonly string[]): string {
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ")).join(" | ")} |`;
}

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
    return [row(headings), row(headings.map(() => "---")), ...rows.map(row)];
}

/** Escapes text from elsewhere. */
export function plainText(text: string): string {
    return text.replaceAll(/[\\`*_<>[\]#@|~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function longestRun(text: string): number {
    return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** Visible width of a code block in a comment, which does not wrap. */
const shown = 96;
/** Continuation lines are indented. */
const behind = "    ";

/** Wraps a line to the visible width. Longer words stay whole. */
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
