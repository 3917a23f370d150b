import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main as makePackage } from "../../dev/package";
import { itLong } from "../takes-long";

// It runs npm install for the package's dependencies, as its users do.
describe("npm run package", function () {
    this.timeout(400_000);
    const output = mkdtempSync(join(tmpdir(), "tradewind-release-"));
    after(() => rmSync(output, { recursive: true }));

    itLong("creates an archive that works in an empty project, and a list of its dependencies", async () => {
        assert.equal(await makePackage(["--output", output]), 0);
        const { version } = require("../../package.json");
        assert.deepEqual(readdirSync(output).sort(), ["package", "sbom.cdx.json", `tradewind-${version}.tgz`]);
        const { bomFormat, components } = JSON.parse(readFileSync(join(output, "sbom.cdx.json"), "utf8"));
        assert.equal(bomFormat, "CycloneDX");
        assert.ok(components.every(({ licenses }: { licenses?: unknown[] }) => licenses && licenses.length > 0));
    });
});
