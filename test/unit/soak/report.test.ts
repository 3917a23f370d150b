import assert from "node:assert/strict";
import { summary } from "../../soak/report";

describe("the summary of a soak", () => {
    it("contains by fault the median and the worst time, alone and combined", () => {
        const lines = summary([
            { index: 0, faults: ["a"], seconds: 10, gap: 1 },
            { index: 1, faults: ["a"], seconds: 30, gap: 3 },
            { index: 2, faults: ["a", "b"], seconds: 50, gap: 5 },
        ]).split("\n");
        const cells = lines.map((line) => line.trim().split(/\s{2,}/));
        assert.deepEqual(cells[0], ["==> 3 sequences survived"]);
        assert.deepEqual(cells[2], ["a", "3", "2", "10.0..30.0", "1.0..3.0", "30.0..50.0"]);
        assert.deepEqual(cells[3], ["b", "1", "0", "-", "-", "50.0..50.0"]);
    });
});
