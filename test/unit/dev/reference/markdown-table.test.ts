import assert from "node:assert/strict";
import { markdownTable } from "../../../../dev/reference/markdown-table";

describe("markdownTable", () => {
    it("has columns of one width, and no cell that ends another", () => {
        assert.equal(
            markdownTable(["Key", "Legal"], [["`mode`", "a|b"]]),
            ["| Key    | Legal |", "| ------ | ----- |", "| `mode` | a\\|b  |"].join("\n"),
        );
    });
});
