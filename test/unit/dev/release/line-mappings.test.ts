import assert from "node:assert/strict";
import { SourceMap } from "node:module";
import { transformSync } from "esbuild";
import { lineMappings } from "../../../../dev/release/line-mappings";

const source = `export function first(value: number): number {
    // Removed.
    if (value > 1000) return value - 100_000;
    throw new Error(
        "no",
    );
}
export const second = (text: string) => text.trim().split("\\n").map((line) => line.length);
`;

describe("a source map with lines only", () => {
    const { map } = transformSync(source, { loader: "ts", sourcemap: true, sourcefile: "a.ts" });
    const whole = JSON.parse(map);
    const light = { ...whole, names: [], mappings: lineMappings(whole.mappings) };

    it("finds the source line of every place that the whole map has", () => {
        const [all, some] = [new SourceMap(whole), new SourceMap(light)];
        let places = 0;
        for (let line = 0; line < 12; line++) {
            for (let column = 0; column < 80; column++) {
                const [expected, found] = [all.findEntry(line, column), some.findEntry(line, column)];
                if (!("originalLine" in expected)) continue;
                places++;
                assert.ok("originalLine" in found);
                assert.deepEqual(
                    [found.originalSource, found.originalLine],
                    [expected.originalSource, expected.originalLine],
                    `${line}:${column}`,
                );
            }
        }
        assert.ok(places > 100);
    });

    it("is shorter, and the same if it is shortened again", () => {
        assert.ok(light.mappings.length < whole.mappings.length / 2);
        assert.equal(lineMappings(light.mappings), light.mappings);
    });

    it("keeps large and negative distances, and leaves out what has no source", () => {
        assert.equal(lineMappings("AAAA,gBAAgB,A;ggggCADDD"), "AAAA;ggggCADe");
    });
});
