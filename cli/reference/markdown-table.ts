/** A table whose columns are as wide as their widest cells. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
    const lines = [head, ...rows].map((line) => line.map((cell) => cell.replaceAll("|", "\\|")));
    const widths = head.map((_, column) => Math.max(...lines.map((line) => [...line[column]!].length)));
    const drawn = (cells: readonly string[], fill = " ") =>
        `| ${cells.map((cell, column) => cell + fill.repeat(widths[column]! - [...cell].length)).join(" | ")} |`;
    const rule = drawn(
        head.map(() => ""),
        "-",
    );
    return [drawn(lines[0]!), rule, ...lines.slice(1).map((line) => drawn(line))].join("\n");
}
