import assert from "node:assert/strict";
import { inRows } from "../../../../dev/reference/markdown-table";

describe("names in rows", () => {
    it("are formatted as code, except for words", () =>
        assert.deepEqual(inRows(["ec2:CreateVpc", "a key"]), ["`ec2:CreateVpc`, a key"]));

    it("continue on the next row when one is full", () => {
        const names = [..."abc"].map((letter) => letter.repeat(30));
        assert.deepEqual(inRows(names), [`\`${names[0]}\`, \`${names[1]}\``, `\`${names[2]}\``]);
    });
});
