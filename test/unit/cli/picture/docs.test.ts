import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { styleSheet } from "../../../../cli/picture/theme";
import { elementsOf } from "./xml";

const docs = resolve(__dirname, "../../../../docs");

describe("the pictures in docs/", () => {
    const text = readFileSync(join(docs, "pictures.md"), "utf8");
    const files = readdirSync(join(docs, "pictures"));

    it("are those that are shown", () => {
        const shown = [...text.matchAll(/!\[[^\]]+\]\(pictures\/([^)]+)\)/g)].map(([, file]) => file);
        assert.deepEqual(shown.sort(), files.sort());
    });

    for (const file of files) {
        it(`${file} is well-formed, in today's colours, and has no path of a machine`, () => {
            const svg = readFileSync(join(docs, "pictures", file), "utf8");
            const elements = elementsOf(svg);
            assert.equal(elements.find(({ name }) => name === "style")!.text.trim(), styleSheet().trim());
            assert.doesNotMatch(svg, /\/(root|home|tmp|work|Users)\//);
        });
    }
});
