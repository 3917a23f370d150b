import { readFileSync, writeFileSync } from "node:fs";
import type { LongRun } from "./reporter";

/** A row in the table of long tests. */
export interface Row {
    /** Path of the file below `test/`, without extension. */
    readonly test: string;
    readonly minutes: string;
    /** Date of its last run: 2026-11-25. */
    readonly lastRun: string;
    readonly result: string;
}

const START = "<!-- long tests: kept by npm test with TRADEWIND_LONG_TESTS=1 -->\n";
const END = "<!-- end of long tests -->";
const HEAD = ["Test", "Minutes", "Last run", "Result"];

/** Updates the table in a Markdown file with the tests that ran; other rows stay unchanged. */
export function recordLongTests(path: string, runs: readonly LongRun[], day: string): void {
    if (runs.length === 0) return;
    const text = readFileSync(path, "utf8");
    const rows = new Map(rowsOf(text).map((row) => [row.test, row]));
    for (const row of rowsOfRuns(runs, day)) rows.set(row.test, row);
    writeFileSync(path, withRows(text, [...rows.values()]));
}

/** One row per file. */
export function rowsOfRuns(runs: readonly LongRun[], day: string): Row[] {
    const files = [...new Set(runs.map(({ file }) => file))];
    return files.map((file) => {
        const own = runs.filter((run) => run.file === file);
        const minutes = own.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 60_000;
        const failed = own.filter(({ isPassed }) => !isPassed).length;
        return {
            test: nameOf(file),
            minutes: minutes.toFixed(1),
            lastRun: day,
            result: failed === 0 ? "passed" : `${failed} failed`,
        };
    });
}

/** The rows of the table in a text. */
export function rowsOf(text: string): Row[] {
    const [, , ...lines] = tableIn(text).split("\n").filter(Boolean);
    return lines.map((line) => {
        const [test = "", minutes = "", lastRun = "", result = ""] = line
            .split("|")
            .slice(1, -1)
            .map((cell) => cell.trim());
        return { test: test.replaceAll("`", ""), minutes, lastRun, result };
    });
}

/** The text with a new table, sorted by name. */
export function withRows(text: string, rows: readonly Row[]): string {
    const sorted = [...rows].sort((a, b) => (a.test < b.test ? -1 : 1));
    const cells = [HEAD, ...sorted.map((row) => [`\`${row.test}\``, row.minutes, row.lastRun, row.result])];
    const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
    const lineOf = (row: readonly string[]) =>
        `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |\n`;
    const [head, ...body] = cells.map(lineOf);
    const rule = lineOf(widths.map((width) => "-".repeat(width)));
    return text.replace(tableIn(text), () => `\n${head}${rule}${body.join("")}\n`);
}

export function nameOf(file: string): string {
    return file.replace(/\.test\.ts$/, "");
}

function tableIn(text: string): string {
    const table = text.split(START)[1]?.split(END)[0];
    if (table === undefined) throw new Error(`the table of long tests must be between "${START.trim()}" and "${END}"`);
    return table;
}
