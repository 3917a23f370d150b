import assert from "node:assert/strict";
import { inRows } from "../../../../dev/reference/markdown-table";

describe("names in rows", () => {
    it("are code, but for words", () =>
        assert.deepEqual(inRows(["ec2:CreateVpc", "a key"]), ["`ec2:CreateVpc`, a key"]));

    it("are in further rows when one is full", () => {
        const names = [..."abc"].map((letter) => letter.repeat(30));
        assert.deepEqual(inRows(names), [`\`${names[0]}\`, \`${names[1]}\``, `\`${names[2]}\``]);
    });
});
