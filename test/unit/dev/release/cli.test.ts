import assert from "node:assert/strict";
import { resolve } from "node:path";
import { bundledCli } from "../../../../dev/release/build";

const root = resolve(__dirname, "../../../..");

describe("the command in the npm package", function () {
    this.timeout(30_000);

    it("is a single file without a checkout that loads installed packages", async () => {
        const text = await bundledCli(root);
        assert.ok(!text.includes(root));
        assert.match(text, /require\("yaml"\)/);
        assert.doesNotMatch(text, /loses every controller|"tradewind drill"/);
        assert.match(text, /"tradewind status"/);
    });
});
