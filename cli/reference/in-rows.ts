/** So that a table of them is no wider than a page. */
const MOST = 75;

/** Names as code, as many in a row as there is room for. */
export function inRows(names: readonly string[]): string[] {
    const rows: string[] = [];
    for (const each of names.map((name) => (/^[\w:.]+$/.test(name) ? `\`${name}\`` : name))) {
        const last = rows.at(-1);
        if (last !== undefined && last.length + each.length + 2 <= MOST) rows[rows.length - 1] = `${last}, ${each}`;
        else rows.push(each);
    }
    return rows;
}
