import assert from "node:assert/strict";
import { counted, type Moment } from "../../../../../agents/nodes/node-agent/progress";

const moments = (...all: Partial<Moment>[]) =>
    all
        .map((each): Moment => ({ about: "a change", isKnown: true, isWell: false, now: 0, ...each }))
        .reduce<ReturnType<typeof counted> | undefined>(counted, undefined)!;

describe("the duration of a node's state", () => {
    it("is counted from the second observation on", () => {
        assert.deepEqual(moments({ now: 100 }), { about: "a change", seen: 0, silent: 0, settled: 0, last: 100 });
        assert.equal(moments({ now: 100 }, { now: 105 }).seen, 5);
    });

    it("is counted while all is well", () => {
        const well = [{ now: 100 }, { now: 105, isWell: true }, { now: 112, isWell: true }];
        assert.equal(moments(...well).settled, 12);
        assert.equal(moments(...well, { now: 113 }).settled, 0);
    });

    it("counts unknown time separately, which resets nothing", () => {
        const { seen, silent, settled } = moments(
            { now: 100 },
            { now: 105, isWell: true },
            { now: 125, isKnown: false },
        );
        assert.deepEqual({ seen, silent, settled }, { seen: 5, silent: 20, settled: 5 });
    });

    it("restarts for another subject, except for the time since the last observation", () => {
        assert.deepEqual(moments({ now: 100 }, { now: 105 }, { now: 107, about: "another" }), {
            about: "another",
            seen: 2,
            silent: 0,
            settled: 0,
            last: 107,
        });
    });
});
