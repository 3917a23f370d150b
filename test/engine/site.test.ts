import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureNpmPackages } from "../../dev/npm-packages.cjs";
import { describeLong } from "../takes-long";

const root = join(__dirname, "../..");

// Has its own packages, and takes a minute to build.
describeLong("the documentation site", function () {
    this.timeout(300_000);

    before(() => ensureNpmPackages(join(root, "site")));

    it("builds without a network, and has no broken links", () => {
        rmSync(join(root, "dist/site"), { recursive: true, force: true });
        // Without root, this requires a user namespace.
        const isolated = process.getuid?.() === 0 ? ["--net"] : ["--map-root-user", "--net"];
        const build = [process.execPath, join(root, "dev/run.cjs"), "site"];
        execFileSync("unshare", [...isolated, ...build], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    });

    it("contains every page of docs/, and loads nothing from other servers", () => {
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
