import assert from "node:assert/strict";
import { resolve } from "node:path";
import { bundledCli } from "../../../../dev/release/build";

const root = resolve(__dirname, "../../../..");

describe("the command in the npm package", function () {
    this.timeout(30_000);

    it("is a single file without a checkout that loads installed packages", async () => {
        const { text, map } = await bundledCli(root);
        assert.ok(![text, map].some((each) => each.includes(root)));
        assert.match(text, /require\("yaml"\)/);
        assert.doesNotMatch(text, /loses every controller|"tradewind drill"/);
        assert.match(text, /"tradewind status"/);
    });

    it("is readable, and has a source map that contains the sources", async () => {
        const { text, map } = await bundledCli(root);
        assert.match(text, /\nasync function readApi\(api\) \{\n/);
        assert.match(text, /\/\/# sourceMappingURL=tradewind\.js\.map\n$/);
        const { sources, sourcesContent } = JSON.parse(map);
        assert.match(sourcesContent[sources.indexOf("status/collect/api.ts")], /Reads everything in parallel/);
    });
});
