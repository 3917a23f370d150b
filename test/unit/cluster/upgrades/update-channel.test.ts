import assert from "node:assert/strict";
import { updateOf } from "../../../../cluster/upgrades/update-channel";

const known = ["1.37.0", "1.36.4", "1.36.3", "1.35.9", "1.35.4"];

describe("the update of a version", () => {
    const cases = [
        ["1.35.4", "none", undefined],
        ["1.35.4", "patch", "1.35.9"],
        ["1.35.4", "minor", "1.36.4"],
        ["1.35.9", "patch", undefined],
        ["1.36.3", "patch", "1.36.4"],
        ["1.36.4", "minor", "1.37.0"],
        ["1.37.0", "minor", undefined],
        // Newer than any that is pinned.
        ["1.37.1", "minor", undefined],
    ] as const;
    for (const [from, channel, to] of cases) {
        it(`${from} on ${channel} is ${to ?? "none"}`, () => assert.equal(updateOf(from, channel, known), to));
    }

    it("never skips a minor version, whatever the order of those that are known", () => {
        assert.equal(updateOf("1.35.4", "minor", [...known].reverse()), "1.36.4");
    });
});
