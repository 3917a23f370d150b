/** Characters of a line beyond which the last column, most often sentences, is not padded. */
const MOST = 200;

/** A table whose columns are as wide as their widest cells; the last one only where lines stay short. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
    const lines = [head, ...rows].map((line) => line.map((cell) => cell.replaceAll("|", "\\|")));
    const widest = head.map((_, column) => Math.max(...lines.map((line) => [...line[column]!].length)));
    const isWide = widest.reduce((sum, width) => sum + width + 3, 1) > MOST;
    const widths = isWide ? [...widest.slice(0, -1), 3] : widest;
    const drawn = (cells: readonly string[], fill = " ") =>
        `| ${cells.map((cell, column) => cell + fill.repeat(Math.max(0, widths[column]! - [...cell].length))).join(" | ")} |`;
    const rule = drawn(
        head.map(() => ""),
        "-",
    );
    return [drawn(lines[0]!), rule, ...lines.slice(1).map((line) => drawn(line))].join("\n");
}
