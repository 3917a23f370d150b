import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { anchorsOf, linksOf, pages, root, textOf } from "./pages";

/** Pages of cloud-provider-aws and of DigitalOcean's cloud controller, which comments name as sources. */
const otherProjects = ["docs/tagging.md", "docs/getting-started.md", "docs/prerequisites.md"];

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

    it("lead to files that exist, also where paths are given as code", () => {
        const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
        const missing = pages.flatMap((page) =>
            [...textOf(page).matchAll(/`([a-z][\w./-]*)`/g)]
                .map(([, path]) => path!)
                .filter((path) => folders.some(({ name }) => path.startsWith(`${name}/`)))
                .filter((path) => !/^(dist|node_modules)\/|Pulumi\.blue\.yaml$/.test(path))
                .filter((path) => ![path, `test/${path}.test.ts`].some((each) => existsSync(join(root, each))))
                .map((path) => `${page}: ${path}`),
        );
        assert.deepEqual(missing, []);
    });

    it("lead from code to pages and headings that exist", () => {
        const files = execFileSync("git", ["ls-files", "*.ts", "*.yaml"], { cwd: root, encoding: "utf8" }).trim();
        const named = files.split("\n").flatMap((file) => {
            const text = readFileSync(join(root, file), "utf8");
            return [...text.matchAll(/(?<![\w/.-])(docs\/[a-z-]+\.md)(?:#([\w-]+))?/g)].map(
                ([, page, anchor]) => [file, page!, anchor] as const,
            );
        });
        assert.ok(named.length > 70);
        const broken = named.filter(
            ([, page, anchor]) =>
                !otherProjects.includes(page) &&
                (!existsSync(join(root, page)) || (anchor !== undefined && !anchorsOf(page).has(anchor))),
        );
        assert.deepEqual(broken, []);
    });

    it("do not lead to the reader's own machine, as the site cannot check them", () => {
        const local = pages.filter((page) => /(<|\]\()https?:\/\/(localhost|127\.)/.test(textOf(page)));
        assert.deepEqual(local, []);
    });

    it("are found", () => {
        assert.ok(pages.flatMap(linksOf).length > 50);
        assert.ok(anchorsOf("docs/key-rotation.md").has("secrets-in-etcd"));
    });
});
