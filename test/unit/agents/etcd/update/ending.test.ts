import assert from "node:assert/strict";
import { endMilliseconds } from "../../../../../agents/etcd/member/process";
import { Ending } from "../../../../../agents/etcd/update/ending";

describe("a member that is being terminated", () => {
    it("gets its time to end, and is reported once", () => {
        const ending = new Ending();
        const looks = [
            ending.isOver(7, true, 0),
            ending.isOver(7, false, 100),
            ending.isOver(7, false, 99 + endMilliseconds),
            ending.isOver(7, false, 100 + endMilliseconds),
            ending.isOver(7, false, 200 + endMilliseconds),
        ];
        assert.deepEqual(looks, [false, false, false, true, false]);
    });

    it("is not one that does not listen yet, or whose state is unknown", () => {
        const ending = new Ending();
        ending.isOver(7, true, 0);
        assert.equal(ending.isOver(8, false, 100), false);
        assert.equal(ending.isOver(8, false, 10_000), false);
        assert.equal(ending.isOver(8, undefined, 20_000), false);
        assert.equal(ending.isOver(8, false, 30_000), false);
    });

    it("is not one that listens again", () => {
        const ending = new Ending();
        ending.isOver(7, true, 0);
        ending.isOver(7, false, 100);
        ending.isOver(7, true, 200);
        assert.equal(ending.isOver(7, false, 100 + endMilliseconds), false);
    });
});
