import assert from "node:assert/strict";
import fc from "fast-check";
import { wrappedLine } from "../../../../../cli/preview/render/markdown";

describe("a line in a comment's code block", () => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

    it("is unchanged if it fits", () => assert.deepEqual(wrappedLine("  two  words"), ["  two  words"]));

    it("continues on indented lines if it does not fit", () => {
        assert.deepEqual(wrappedLine(`  ${words(20)}`), [
            "  word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 word12 word13 word14",
            "      word15 word16 word17 word18 word19",
        ]);
    });

    it("loses nothing, and is only too long if a single word is", () => {
        fc.assert(
            fc.property(fc.string({ maxLength: 400 }), (line) => {
                const lines = wrappedLine(line);
                const letters = (text: string) => text.replaceAll(" ", "");
                assert.equal(letters(lines.join("")), letters(line));
                for (const each of lines) assert.ok(each.length <= 96 || !each.trim().includes(" "), each);
            }),
        );
    });
});
