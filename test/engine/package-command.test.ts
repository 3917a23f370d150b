import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main as makePackage } from "../../dev/package";
import { itLong } from "../takes-long";

// It has npm install what the package needs, as its readers do.
describe("npm run package", function () {
    this.timeout(400_000);
    const output = mkdtempSync(join(tmpdir(), "tradewind-release-"));
    after(() => rmSync(output, { recursive: true }));

    itLong("makes an archive that works in an empty project, and the list of what it needs", async () => {
        assert.equal(await makePackage(["--output", output]), 0);
        const { version } = require("../../package.json");
        assert.deepEqual(readdirSync(output).sort(), ["package", "sbom.cdx.json", `tradewind-${version}.tgz`]);
        const { bomFormat, components } = JSON.parse(readFileSync(join(output, "sbom.cdx.json"), "utf8"));
        assert.equal(bomFormat, "CycloneDX");
        assert.ok(components.every(({ licenses }: { licenses?: unknown[] }) => licenses && licenses.length > 0));
    });
});
