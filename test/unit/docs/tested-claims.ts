import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, textOf } from "./pages";

/** Cells of the rows of the first table below a heading, without its head. */
export function rowsBelow(page: string, heading: string): string[][] {
    const section = textOf(page).split(`\n## ${heading}\n`)[1]!.split("\n## ")[0]!;
    const rows = [...section.matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row!.split(" | ").map((cell) => cell.trim()));
    return rows.slice(2);
}

/** What is wrong with a cell of tests: `path`: "title", or "begin of a title"; or that a claim was only read. */
export function problemsOf(cell: string): string[] {
    if (cell === "read only") return [];
    const named = [...cell.matchAll(/`([^`]+\.ts)`: ((?:"[^"]+"(?:; )?)+)/g)];
    if (named.length === 0) return [`no test: ${cell}`];
    const rest = named.reduce((text, [whole]) => text.replace(whole, ""), cell).replaceAll(", ", "");
    return [
        ...(rest === "" ? [] : [`neither a test nor a title: ${rest}`]),
        ...named.flatMap(([, path, titles]) => {
            if (!existsSync(join(root, path!))) return [`no file ${path}`];
            const text = textOf(path!);
            return [...titles!.matchAll(/"([^"]+)"/g)]
                .map(([, title]) => title!)
                .filter((title) => !['"', "`"].some((quote) => text.includes(`${quote}${title}`)))
                .map((title) => `${path} has no test ${title}`);
        }),
    ];
}
