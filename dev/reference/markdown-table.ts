/** A table whose columns are aligned. */
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

/** Limits the width of tables to a page. */
const MOST = 75;

/** Names as code, as many per row as fit. */
export function inRows(names: readonly string[]): string[] {
    const rows: string[] = [];
    for (const each of names.map((name) => (/^[\w:.]+$/.test(name) ? `\`${name}\`` : name))) {
        const last = rows.at(-1);
        if (last !== undefined && last.length + each.length + 2 <= MOST) rows[rows.length - 1] = `${last}, ${each}`;
        else rows.push(each);
    }
    return rows;
}
