import assert from "node:assert/strict";
import { Ending } from "../../../../../agents/etcd/member/ending";

describe("a member that is being terminated", () => {
    const observe = (...observations: [number, boolean | undefined][]) => {
        const ending = new Ending();
        return observations.map(([pid, listens]) => ending.hasBegun(pid, listens));
    };

    it("has listened and no longer does, seen twice, and is reported once", () => {
        const observed = observe([7, true], [7, false], [7, false], [7, false], [7, false]);
        assert.deepEqual(observed, [false, false, true, false, false]);
    });

    it("is not one that does not listen yet, or whose state is unknown", () => {
        const observed = observe([7, true], [8, false], [8, false], [8, undefined], [8, false], [8, false]);
        assert.equal(observed.includes(true), false);
    });

    it("is not one that listens again", () => {
        assert.equal(observe([7, true], [7, false], [7, true], [7, false]).includes(true), false);
    });
});
