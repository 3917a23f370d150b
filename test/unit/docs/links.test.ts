import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { anchorsOf, linksOf, pages, root } from "./pages";

describe("links in the documentation", () => {
    for (const page of pages) {
        it(`of ${page} are not broken`, () => {
            const broken = linksOf(page)
                .filter((target) => !/^[a-z]+:/.test(target))
                .filter((target) => {
                    const [path = "", anchor] = target.split("#");
                    const file = path === "" ? page : relative(root, join(root, dirname(page), path));
                    const isThere = existsSync(join(root, file));
                    return !isThere || (anchor !== undefined && !anchorsOf(file).has(anchor));
                });
            assert.deepEqual(broken, []);
        });
    }

    it("lead from the start page to every other page of docs/", () => {
        const first = "docs/README.md";
        const linked = linksOf(first).map((target) => join("docs", target.split("#")[0]!));
        const others = pages.filter((page) => page.startsWith("docs/") && page !== first);
        assert.deepEqual(
            others.filter((page) => !linked.includes(page)),
            [],
        );
    });

    it("are found", () => {
        assert.ok(pages.flatMap(linksOf).length > 50);
        assert.ok(anchorsOf("docs/certificates.md").has("secrets-in-etcd"));
    });
});
