import assert from "node:assert/strict";
import fc from "fast-check";
import { tickLabel, ticks } from "../../../../cli/timeline/layout";

describe("the axis of a timeline", () => {
    it("has few lines at round numbers", () => {
        assert.deepEqual(ticks(84.5), [0, 10, 20, 30, 40, 50, 60, 70, 80]);
        assert.deepEqual(ticks(3), [0, 0.5, 1, 1.5, 2, 2.5, 3]);
        assert.deepEqual(ticks(0), [0]);
    });

    it("never has more than ten lines, and none after the end", () => {
        fc.assert(
            fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), (seconds) => {
                const all = ticks(seconds);
                assert.ok(all.length <= 10, `${all.length}`);
                assert.ok(all.at(-1)! <= seconds + 1e-6);
            }),
        );
    });

    it("uses seconds, minutes and hours", () => {
        assert.deepEqual([0, 0.5, 12, 60, 90, 3600, 5400].map(tickLabel), [
            "0 s",
            "0.5 s",
            "12 s",
            "1 min",
            "1:30 min",
            "1 h",
            "1:30 h",
        ]);
    });
});
