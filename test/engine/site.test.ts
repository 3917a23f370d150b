import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureNpmPackages } from "../../dev/npm-packages.cjs";
import { describeLong } from "../takes-long";

const root = join(__dirname, "../..");

// Packages of its own, and a minute to build.
describeLong("the site of the documentation", function () {
    this.timeout(300_000);

    before(() => ensureNpmPackages(join(root, "site")));

    it("is built without a network, with every link on it leading somewhere", () => {
        rmSync(join(root, "dist/site"), { recursive: true, force: true });
        // Whoever is not root has a namespace of users of its own for it.
        const isolated = process.getuid?.() === 0 ? ["--net"] : ["--map-root-user", "--net"];
        const build = [process.execPath, join(root, "dev/run.cjs"), "site"];
        execFileSync("unshare", [...isolated, ...build], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    });

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
