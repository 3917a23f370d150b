import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../..");

describe("the lock file of the site's packages", () => {
    it("contains packages for every platform, which npm ci requires", () => {
        const { packages } = JSON.parse(readFileSync(join(root, "site/package-lock.json"), "utf8"));
        const all = Object.entries<{ optionalDependencies?: object }>(packages);
        const missing = all.flatMap(([, { optionalDependencies = {} }]) =>
            Object.keys(optionalDependencies).filter((name) => !packages[`node_modules/${name}`]),
        );
        assert.deepEqual(missing, []);
    });
});
