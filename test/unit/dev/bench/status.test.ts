import assert from "node:assert/strict";
import { results } from "../../../../dev/bench/status";

describe("the benchmark of tradewind status", () => {
    it("is within a second, and compared to programs that do less", () => {
        const [time, kubectl, start] = results({ value: 120, peer: 60 }, { value: 800, peer: 200 });
        assert.deepEqual([time?.name, time?.value, time?.ratio, time?.goal], ["status.time", 0.8, 0.8, 1]);
        assert.deepEqual([kubectl?.value, kubectl?.ratio], [0.8, 4]);
        assert.deepEqual([start?.value, start?.ratio, start?.peer], [0.12, 2, "only Node"]);
    });
});
