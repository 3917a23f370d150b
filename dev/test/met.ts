import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Hostile behaviours of simulated clouds, by the test that ran under them: `engine/aws-refresh`. */
export type Met = ReadonlyMap<string, readonly string[]>;

const START = "<!-- what each test met: kept by npm test -->\n";
const END = "<!-- end of what each test met -->";
const HEAD = ["Test", "Ran under"];
const NOTHING = "none";
const UNRECORDED = "not recorded yet";

/**
 * Adds what tests of a run met to the table in a Markdown file.
 *
 * @param isWhole - replaces the rows of tests that ran. @default - adds to them, as part of a test may have been skipped
 */
export function recordMet(path: string, met: Met, isWhole = false): void {
    const text = readFileSync(path, "utf8");
    const rows = new Map(metIn(text));
    for (const [test, names] of met) rows.set(test, isWhole ? names : [...(rows.get(test) ?? []), ...names]);
    const updated = withMet(text, rows);
    if (updated !== text) writeFileSync(path, updated);
}

/** What the tests of a run recorded in a folder (test/met.ts). */
export function metInFolder(folder: string): Met {
    const read = (file: string) => readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean);
    return new Map(readdirSync(folder).map((file) => [file.replaceAll("__", "/"), read(file)]));
}

/** The table in a text. */
export function metIn(text: string): Met {
    const [, , ...lines] = tableIn(text).split("\n").filter(Boolean);
    return new Map(
        lines.map((line) => {
            const [test = "", names = ""] = line
                .split("|")
                .slice(1, -1)
                .map((cell) => cell.trim());
            return [test.replaceAll("`", ""), [NOTHING, UNRECORDED].includes(names) ? [] : names.split(", ")];
        }),
    );
}

/** Tests whose row says that no run was recorded. */
export function unrecordedIn(text: string): string[] {
    return [...tableIn(text).matchAll(/^\| `(\S+)` +\| not recorded yet +\|$/gm)].map(([, test]) => test!);
}

/** The text with a new table, sorted. @param unrecorded - further tests, which have not run */
export function withMet(text: string, rows: Met, unrecorded: readonly string[] = unrecordedIn(text)): string {
    const isOpen = (test: string) => unrecorded.includes(test) && (rows.get(test) ?? []).length === 0;
    const wordsOf = (test: string) => {
        const names = [...new Set(rows.get(test) ?? [])].sort();
        return names.join(", ") || (isOpen(test) ? UNRECORDED : NOTHING);
    };
    const tests = [...new Set([...rows.keys(), ...unrecorded])].sort();
    const cells = [HEAD, ...tests.map((test) => [`\`${test}\``, wordsOf(test)])];
    const [before = "", after = ""] = [text.split(START)[0], text.split(END)[1]];
    return `${before}${START}\n${table(cells)}\n${END}${after}`;
}

/** A Markdown table as the formatter writes it. */
export function table(cells: readonly (readonly string[])[]): string {
    const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
    const lineOf = (row: readonly string[]) =>
        `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |\n`;
    const [head, ...body] = cells.map(lineOf);
    return [head, lineOf(widths.map((width) => "-".repeat(width))), ...body].join("");
}

function tableIn(text: string): string {
    const found = text.split(START)[1]?.split(END)[0];
    if (found === undefined) throw new Error(`the table must be between "${START.trim()}" and "${END}"`);
    return found;
}
