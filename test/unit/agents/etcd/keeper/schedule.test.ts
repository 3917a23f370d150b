import assert from "node:assert/strict";
import { nextSnapshot } from "../../../../../agents/etcd/keeper/keeper";

const at = (clock: string) => `2026-11-21T${clock}.000Z`;
const start = new Date(at("12:00:00"));

describe("the next snapshot", () => {
    const cases: [string, Parameters<typeof nextSnapshot>[1], string][] = [
        ["is due a minute after the first start", { start }, "12:01:00"],
        [
            "is due an interval after the last one, whatever took it",
            { start, last: { time: at("11:30:00") } },
            "12:30:00",
        ],
        ["is overdue after a long downtime", { start, last: { time: at("09:00:00") } }, "10:00:00"],
        ["is retried 5 minutes after a failure", { start, failure: { time: at("12:01:00") } }, "12:06:00"],
        [
            "is not postponed by a failure before the last good one",
            { start, last: { time: at("12:10:00") }, failure: { time: at("12:01:00") } },
            "13:10:00",
        ],
        [
            "is not postponed by a snapshot dated in the future",
            { start, last: { time: at("14:30:00") }, failure: { time: at("12:20:00") } },
            "12:25:00",
        ],
        ["is not postponed by a failure dated in the future", { start, failure: { time: at("14:30:00") } }, "12:01:00"],
    ];
    for (const [what, past, due] of cases) {
        it(what, () => assert.equal(nextSnapshot(3600, past, new Date(at("12:30:00"))).toISOString(), at(due)));
    }

    it("is due if everything known is dated in the future", () => {
        const past = { start: new Date(at("14:00:00")), last: { time: at("14:30:00") } };
        assert.ok(nextSnapshot(3600, past, new Date(at("12:30:00"))) <= new Date(at("12:30:00")));
    });

    it("is retried after the interval if that is shorter", () => {
        const past = { start, last: { time: at("12:00:00") }, failure: { time: at("12:01:00") } };
        assert.equal(nextSnapshot(60, past, new Date(at("12:30:00"))).toISOString(), at("12:02:00"));
    });
});
