import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FLAG_TABLE } from "../../../../dev/reference";
import { flagTable, grouped } from "../../../../dev/reference/flag-table";
import { PROJECT_DIR } from "../../../../local/pulumi";

describe("the table of flags", () => {
    it("groups flags by the minor versions that have them", () => {
        const older = { a: "", b: "", goes: "" };
        assert.deepEqual(
            grouped([
                ["1.36", { a: "", b: "No more: soon.", comes: "" }],
                ["1.35", older],
                ["1.35", older],
            ]),
            [
                { minors: ["1.35"], flags: ["b", "goes"] },
                { minors: ["1.35", "1.36"], flags: ["a"] },
                { minors: ["1.36"], flags: ["b: No more: soon.", "comes"] },
            ],
        );
    });

    it("matches the cached programs: npm run reference", function () {
        this.timeout(60_000);
        assert.equal(readFileSync(join(PROJECT_DIR, FLAG_TABLE), "utf8"), flagTable());
    });

    it("is small compared to the package, which has to stay below eight megabytes", () => {
        const table = JSON.parse(readFileSync(join(PROJECT_DIR, FLAG_TABLE), "utf8"));
        assert.ok(JSON.stringify(table).length < 30_000);
    });
});
