import assert from "node:assert/strict";
import { markdownTable } from "../../../../dev/reference/markdown-table";

describe("markdownTable", () => {
    it("aligns columns, and escapes cells", () => {
        assert.equal(
            markdownTable(["Key", "Legal"], [["`mode`", "a|b"]]),
            ["| Key    | Legal |", "| ------ | ----- |", "| `mode` | a\\|b  |"].join("\n"),
        );
    });
});
