import assert from "node:assert/strict";
import { program } from "../../../../cli/graph/command";

describe("the options of tradewind graph", () => {
    it("are a cluster and a file", () => {
        const { name, output } = program.parse(["--name", "blue", "-o", "docs/blue.svg"]).options;
        assert.deepEqual([name, output], ["blue", "docs/blue.svg"]);
        assert.equal(program.parse(["--output=-"]).options.output, "-");
    });

    it("reports valid values", () => {
        assert.throws(() => program.parse(["--output", "blue.png"]), {
            message: "--output must be a .svg file, or - for standard output (got blue.png)",
        });
        assert.throws(() => program.parse(["--nam", "x"]), /unknown option --nam .*; see tradewind graph --help/);
    });
});
