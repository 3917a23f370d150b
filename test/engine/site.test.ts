import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { main as buildSite } from "../../cli/site";
import { isLong } from "../takes-long";

const root = join(__dirname, "../..");

// Packages of its own, and a minute to build.
(isLong ? describe : describe.skip)("the site of the documentation", function () {
    this.timeout(300_000);

    it("is built, with every link on it leading somewhere", async () => assert.equal(await buildSite(), 0));

    it("has every page of docs/, and needs nobody else's server to be read", () => {
        const built = join(root, "dist/site");
        const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && name !== "README.md");
        for (const page of pages) {
            const text = readFileSync(join(built, "docs", page.replace(/\.md$/, ".html")), "utf8");
            const loaded = [...text.matchAll(/<(?:script|img|link|iframe)\b[^>]*?\b(?:src|href)="([^"]+)"/g)];
            assert.ok(loaded.length > 0, page);
            const others = loaded.flatMap(([, source]) => (/^(https?:)?\/\//.test(source!) ? [source] : []));
            assert.deepEqual(others, [], page);
        }
    });
});
