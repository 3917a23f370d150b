import assert from "node:assert/strict";
import { SourceMap, type SourceMapPayload, type SourceMapping } from "node:module";
import { transformSync } from "esbuild";
import { smallerMap } from "../../../../dev/release/smaller-map";

const lines = [
    'import { readFileSync } from "node:fs";',
    "export const longName = (path: string) =>",
    "    readFileSync(path)",
    '        .toString("utf8")',
    "        .trim();",
    "",
    'export function another(): string { if (longName("a") === "b") throw new Error("c"); return longName("d"); }',
    'export const list = [1, 2, 3].map((each) => each * 2).filter((each) => each > 2), last = "z";',
];

describe("a smaller source map", () => {
    const { code, map: text } = transformSync(lines.join("\n"), {
        loader: "ts",
        sourcemap: "external",
        sourcefile: "a.ts",
        minifyWhitespace: true,
        minifyIdentifiers: true,
    });
    const map: SourceMapPayload = JSON.parse(text);
    const smaller = smallerMap(map);

    it("leads from every place to the same line of the same source", () => {
        const lineAt = (all: SourceMap, row: number, column: number) => {
            const { originalSource, originalLine } = all.findEntry(row, column) as SourceMapping;
            return [originalSource, originalLine];
        };
        const [before, after] = [new SourceMap(map), new SourceMap(smaller)];
        const places = code.split("\n").flatMap((line, row) => [...line].map((_, column) => [row, column] as const));
        assert.ok(places.length > 200);
        for (const [row, column] of places) {
            assert.deepEqual(lineAt(after, row, column), lineAt(before, row, column), `${row}:${column}`);
        }
        const found = new Set(places.map(([row, column]) => lineAt(after, row, column)[1]));
        assert.ok(found.size > 5);
    });

    it("is smaller, and keeps the sources", () => {
        assert.ok(smaller.mappings.length < map.mappings.length / 2);
        assert.deepEqual([smaller.sources, smaller.names], [["a.ts"], []]);
        assert.deepEqual(smaller.sourcesContent, [lines.join("\n")]);
    });
});
