import assert from "node:assert/strict";
import { billOfMaterials } from "../../../release/bill-of-materials";

const { dependencies, devDependencies } = require("../../../package.json");

describe("the bill of materials", function () {
    this.timeout(60_000);

    it("names every dependency, and nothing that is for development alone", () => {
        const parts = billOfMaterials("tradewind");
        assert.deepEqual([parts.bomFormat, parts.metadata.component.name], ["CycloneDX", "tradewind"]);
        const named = new Set(
            parts.components.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/(.+)@.*$/, "$1")),
        );
        assert.deepEqual(
            Object.keys(dependencies).filter((name) => !named.has(name)),
            [],
        );
        for (const name of ["mocha", "@biomejs/biome", "publint"]) {
            assert.ok(name in devDependencies && !named.has(name), name);
        }
        const refs = new Set([parts.metadata.component, ...parts.components].map((each) => each["bom-ref"]));
        for (const { ref, dependsOn } of parts.dependencies) {
            for (const each of [ref, ...dependsOn]) assert.ok(refs.has(each), each);
        }
    });
});
