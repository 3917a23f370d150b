import assert from "node:assert/strict";
import { markdownTable } from "../../../../cli/reference/markdown-table";

describe("markdownTable", () => {
    it("has columns of one width, and no cell that ends another", () => {
        assert.equal(
            markdownTable(["Key", "Legal"], [["`mode`", "a|b"]]),
            ["| Key    | Legal |", "| ------ | ----- |", "| `mode` | a\\|b  |"].join("\n"),
        );
    });

    it("ends a wide line where its sentences end", () => {
        const [head, rule, short, long] = markdownTable(
            ["Key", "Meaning"],
            [
                ["`a`", "Short."],
                ["`bcd`", "x".repeat(250)],
            ],
        ).split("\n");
        assert.deepEqual([head, rule, short], ["| Key   | Meaning |", "| ----- | --- |", "| `a`   | Short. |"]);
        assert.equal(long, `| \`bcd\` | ${"x".repeat(250)} |`);
    });
});
