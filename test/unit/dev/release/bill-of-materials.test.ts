import assert from "node:assert/strict";
import { billOfMaterials, licenceNames } from "../../../../dev/release/bill-of-materials";

const { dependencies, devDependencies } = require("../../../../package.json");

/** Licenses that require attribution only, but no source code. */
const lenient = [
    ...[
        "MIT",
        "Apache-2.0",
        "ISC",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "BlueOak-1.0.0",
        "Python-2.0",
        "CC0-1.0",
        "CC-BY-3.0",
    ],
    "(BSD-3-Clause AND Apache-2.0)",
    // @logdna/tail-file: MIT, according to its license file.
    "SEE LICENSE IN LICENSE",
];

describe("the bill of materials", function () {
    this.timeout(60_000);
    let parts: ReturnType<typeof billOfMaterials>;

    before(() => {
        parts = billOfMaterials("tradewind");
    });

    it("has the license of each component, and only licenses that require no more than attribution", () => {
        assert.ok(parts.components.length > 100);
        const others = parts.components.filter((part) => {
            const names = licenceNames(part);
            return names.length === 0 || names.some((name) => !lenient.includes(name));
        });
        assert.deepEqual(
            others.map(({ purl }) => purl),
            [],
        );
        const inWords = parts.components.filter((part) => licenceNames(part).some((name) => /^SEE/.test(name)));
        assert.deepEqual(
            inWords.map(({ purl }) => decodeURIComponent(purl).replace(/@[^@]*$/, "")),
            ["pkg:npm/@logdna/tail-file"],
        );
    });

    it("lists every dependency, without development dependencies", () => {
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
