import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REFERENCES } from "../../../../dev/reference";
import { PROJECT_DIR } from "../../../../local/pulumi";

describe("generated pages", function () {
    // Schemas need the types of the whole code.
    this.timeout(120_000);

    for (const [path, text] of Object.entries(REFERENCES)) {
        it(`match the code in ${path}: npm run reference`, () => {
            assert.equal(readFileSync(join(PROJECT_DIR, path), "utf8"), text());
        });
    }
});
