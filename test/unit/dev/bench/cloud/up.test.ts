import assert from "node:assert/strict";
import { results, resultWithRealDelays } from "../../../../../dev/bench/cloud/up";

describe("the time until clusters on simulated clouds are healthy", () => {
    it("is relative to that of the local stack, like that of a destroy", () => {
        const told = results("aws", { healthy: 90, destroy: 12 }, { healthy: 60, destroy: 8 });
        assert.deepEqual(
            told.map(({ name, value, ratio, unit }) => [name, value, ratio, unit]),
            [
                ["cloud.aws.healthy", 90, 1.5, "s"],
                ["cloud.aws.destroy", 12, 1.5, "s"],
            ],
        );
    });

    it("is also measured with the delays of real clouds, relative to those", () => {
        const { name, value, ratio } = resultWithRealDelays("aws", { healthy: 250, destroy: 30 });
        assert.deepEqual([name, value, ratio], ["cloud.aws.healthy-with-real-delays", 250, 1.25]);
    });
});
