import assert from "node:assert/strict";
import { clientResults } from "../../../../../dev/bench/control-plane/client-results";

describe("the impact of an event on clients", () => {
    const tally = (requests: number, longestGap: number, failed = 0) => ({
        requests,
        longestGap,
        failures: Array.from({ length: failed }, () => ({ at: "2026-11-21T12:00:00Z", what: "ECONNRESET" })),
    });
    const ratios = (fresh: ReturnType<typeof tally>) =>
        clientResults(
            "rollouts",
            {
                new: fresh,
                http2: tally(9_000, 400),
                watch: tally(100, 20_000, 1),
                keepAlive: tally(1_000, 900, 4),
            },
            { new: tally(300, 50), http2: tally(300, 100), watch: tally(1, 20_000), keepAlive: tally(300, 800) },
            20_000,
        ).map(({ name, value, ratio }) => [name, value, ratio]);

    it("is the failures and gaps of Kubernetes' own clients, compared to those without an event", () => {
        assert.deepEqual(ratios(tally(10_900, 700, 1)), [
            ["rollouts.failed-requests", 2, 2 / 20_000],
            ["rollouts.too-few-requests", 0, 0],
            ["rollouts.failed-keep-alive-requests", 4, 0.004],
            ["rollouts.longest-gap", 700, 2],
        ]);
    });

    it("says if there were too few requests", () => {
        assert.deepEqual(ratios(tally(900, 0))[1], ["rollouts.too-few-requests", 10_000, 0.5]);
    });
});
