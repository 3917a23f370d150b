import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { anchorsOf, pages, root, textOf } from "../docs/pages";

const groups: { text: string; pages: string[] }[] = require("../../../site/navigation.json");

describe("the site", () => {
    it("contains every page once", () => {
        const shown = groups.flatMap((group) => group.pages);
        assert.equal(new Set(shown).size, shown.length);
        assert.deepEqual(
            pages.filter((page) => !shown.includes(page)),
            [],
        );
        assert.deepEqual(
            shown.filter((page) => !existsSync(join(root, page))),
            [],
        );
    });

    it("uses the anchors with which links are checked", async () => {
        const { anchorOf } = await import(resolve(__dirname, "../../../site/pages.js"));
        for (const page of pages) {
            const headings = [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
            assert.deepEqual(new Set(headings.map(anchorOf)), anchorsOf(page));
        }
    });
});
