import assert from "node:assert/strict";
import { lossOf } from "../../../../dev/bench/loss";

describe("the results of the loss benchmark", () => {
    it("are the failures of Kubernetes' own clients, and for how long", () => {
        const cut = Date.parse("2026-11-21T12:00:00Z");
        const tally = (requests: number, longestGap: number, ...seconds: number[]) => ({
            requests,
            longestGap,
            failures: seconds.map((at) => ({ at: new Date(cut + at * 1000).toISOString(), what: "ECONNRESET" })),
        });
        const results = lossOf(
            {
                new: tally(300, 2_000, 1),
                http2: tally(90, 4_000, 2, 3),
                watch: tally(10, 30_000),
                keepAlive: tally(1, 1, 9),
            },
            cut,
        );
        assert.deepEqual(
            results.map(({ name, value, unit, ratio }) => [name, value, unit, ratio]),
            [
                ["loss.failed-requests", 3, "requests", 3 / 400],
                ["loss.last-failure", 3, "s", 3 / 8],
                ["loss.longest-gap", 4, "s", 0.5],
            ],
        );
    });
});
