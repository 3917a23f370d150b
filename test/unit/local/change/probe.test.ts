import assert from "node:assert/strict";
import { ApiProbe, probeSummary } from "../../../../local/change/probe";

const start = Date.UTC(2026, 10, 24, 12);
const { signal } = new AbortController();

/** Each reading of the clock is 100 ms after the previous one. */
async function probed(answers: readonly (string | undefined)[]) {
    let now = start;
    const left = [...answers];
    const ask = async () => {
        const error = left.shift();
        if (error !== undefined) throw new Error(error);
    };
    const probe = new ApiProbe(ask, () => {
        now += 100;
        return now;
    });
    for (const _ of answers) await probe.once(signal);
    return probe.tallies();
}

describe("an API probe while a cluster changes", () => {
    it("counts in the format of the record", async () => {
        const tallies = await probed([undefined, "connect ECONNREFUSED", undefined]);
        const { new: client } = tallies!.clients;
        assert.equal(tallies!.from, "2026-11-24T12:00:00.100Z");
        assert.equal(client!.requests, 3);
        assert.deepEqual(client!.failures, [{ at: "2026-11-24T12:00:00.400Z", what: "connect ECONNREFUSED" }]);
        assert.equal(client!.longestGap, 300);
    });

    it("has no result without requests", async () => {
        assert.equal(await probed([]), undefined);
    });

    it("does not count a request aborted at its end", async () => {
        const stop = new AbortController();
        const probe = new ApiProbe(async () => {
            stop.abort();
            throw new Error("aborted");
        });
        await probe.once(stop.signal);
        assert.equal(probe.tallies(), undefined);
    });

    it("summarizes failures with time and reason", async () => {
        assert.match(
            probeSummary((await probed([undefined, undefined]))!),
            /^API availability during the change: 2 requests over new connections, none failed; longest gap 0\.\d s$/,
        );
        assert.match(
            probeSummary((await probed([undefined, "no answer"]))!),
            /, 1 failed, first at 2026-11-24T12:00:00\.\d00Z: no answer; /,
        );
    });
});
