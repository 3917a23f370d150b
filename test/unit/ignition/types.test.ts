import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateTypes } from "../../../ignition/generate-types";

describe("the generated types", () => {
    it("are those of the published schema, byte for byte", async function () {
        this.timeout(30_000);
        const committed = readFileSync(join(__dirname, "../../../ignition/types.ts"), "utf8");
        assert.equal(await generateTypes(), committed);
    });
});
