import assert from "node:assert/strict";
import { parseGraphOptions } from "../../../../cli/graph/command";

describe("the options of tradewind graph", () => {
    it("are a cluster and a file", () => {
        const { name, output } = parseGraphOptions(["--name", "blue", "-o", "docs/blue.svg"]);
        assert.deepEqual([name, output], ["blue", "docs/blue.svg"]);
        assert.equal(parseGraphOptions(["--output=-"]).output, "-");
    });

    it("reports valid values", () => {
        assert.throws(() => parseGraphOptions(["--output", "blue.png"]), {
            message: "--output must be a .svg file, or - for standard output, got blue.png",
        });
        assert.throws(() => parseGraphOptions(["--nam", "x"]), /Unknown option '--nam'; see tradewind graph --help/);
    });
});
