import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REFERENCES } from "../../../../dev/reference";
import { PROJECT_DIR } from "../../../../local/pulumi";

describe("pages that are made of the code", () => {
    for (const [path, text] of Object.entries(REFERENCES)) {
        it(`of ${path} are as the code is: npm run reference`, () => {
            assert.equal(readFileSync(join(PROJECT_DIR, path), "utf8"), text());
        });
    }
});
