import assert from "node:assert/strict";
import { isBefore, startIn } from "../../../../../agents/etcd/certificates/restart";

describe("the start time of a member's process", () => {
    it("is read from its metrics", () => {
        const metrics = "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds 1.79515e+09\nother 1\n";
        assert.equal(startIn(metrics), 1_795_150_000_000);
        assert.throws(() => startIn("other 1\n"), /have no start time/);
    });

    it("is before a time only by more than its possible error of a second", () => {
        assert.equal(isBefore(10_000, 11_000), false);
        assert.equal(isBefore(10_000, 11_001), true);
    });
});
