import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { elementsOf } from "./xml";

const docs = resolve(__dirname, "../../../../docs");

describe("the pictures in docs/", () => {
    const text = readFileSync(join(docs, "pictures.md"), "utf8");
    const files = readdirSync(join(docs, "pictures"));

    it("are those that pages show", () => {
        const shown = [...text.matchAll(/!\[[^\]]+\]\(pictures\/([^)]+)\)/g)].map(([, file]) => file);
        assert.deepEqual(shown.sort(), files.sort());
    });

    for (const file of files.filter((each) => each.endsWith(".svg"))) {
        it(`${file} is well-formed, has a description, and contains no local paths`, () => {
            const svg = readFileSync(join(docs, "pictures", file), "utf8");
            const described = elementsOf(svg).filter(
                ({ name, text: words }) => /^(title|desc)$/.test(name) && words !== "",
            );
            assert.ok(described.length >= 2);
            assert.doesNotMatch(svg, /\/(root|home|tmp|work|Users)\//);
        });
    }
});
