import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { licenceNotices, packageFolders } from "../../../../dev/release/bill-of-materials";

describe("the licenses of bundled code", () => {
    it("are those of the files' packages, each once, however nested", () => {
        const files = ["/a/agents/main.ts", "/a/node_modules/b/x/y.js", "/a/node_modules/b/z.js"];
        const deep = "/a/node_modules/b/node_modules/@c/d/e.js";
        assert.deepEqual(packageFolders([...files, deep]), [
            "/a/node_modules/b",
            "/a/node_modules/b/node_modules/@c/d",
        ]);
    });

    it("are included in full, or the build fails", () => {
        const folder = mkdtempSync(join(tmpdir(), "tradewind-licences-"));
        try {
            mkdirSync(join(folder, "b"));
            writeFileSync(join(folder, "b/package.json"), '{ "name": "b", "version": "1.2.3", "license": "MIT" }');
            assert.throws(() => licenceNotices([join(folder, "b")]), {
                message: "bundled packages must have a LICENSE file, which b 1.2.3 lacks",
            });
            writeFileSync(join(folder, "b/LICENSE.md"), "Do what you like.\n");
            assert.match(licenceNotices([join(folder, "b")]), /\nb 1\.2\.3 \(MIT\)\n\nDo what you like\.\n$/);
        } finally {
            rmSync(folder, { recursive: true });
        }
    });
});
