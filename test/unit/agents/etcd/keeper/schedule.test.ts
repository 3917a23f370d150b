import assert from "node:assert/strict";
import { nextSnapshot } from "../../../../../agents/etcd/keeper/keeper";

const at = (clock: string) => `2026-11-21T${clock}.000Z`;
const start = new Date(at("12:00:00"));

describe("The next snapshot", () => {
    const cases: [string, Parameters<typeof nextSnapshot>[1], string][] = [
        ["is due a minute after the first start", { start }, "12:01:00"],
        ["is due an interval after the last, whoever took that", { start, last: { time: at("11:30:00") } }, "12:30:00"],
        ["is overdue after a long stop", { start, last: { time: at("09:00:00") } }, "10:00:00"],
        ["is tried again 5 minutes after a failure", { start, failure: { time: at("12:01:00") } }, "12:06:00"],
        [
            "is not put off by a failure before the last good one",
            { start, last: { time: at("12:10:00") }, failure: { time: at("12:01:00") } },
            "13:10:00",
        ],
        [
            "is not put off by what is dated by a clock that was ahead",
            { start, last: { time: at("14:30:00") }, failure: { time: at("12:20:00") } },
            "12:25:00",
        ],
        [
            "is not put off by a failure of a clock that was ahead",
            { start, failure: { time: at("14:30:00") } },
            "12:01:00",
        ],
    ];
    for (const [what, past, due] of cases) {
        it(what, () => assert.equal(nextSnapshot(3600, past, new Date(at("12:30:00"))).toISOString(), at(due)));
    }

    it("is due when nothing that is known is before now", () => {
        const past = { start: new Date(at("14:00:00")), last: { time: at("14:30:00") } };
        assert.ok(nextSnapshot(3600, past, new Date(at("12:30:00"))) <= new Date(at("12:30:00")));
    });

    it("is tried again as often as the interval says when that is shorter", () => {
        const past = { start, last: { time: at("12:00:00") }, failure: { time: at("12:01:00") } };
        assert.equal(nextSnapshot(60, past, new Date(at("12:30:00"))).toISOString(), at("12:02:00"));
    });
});
