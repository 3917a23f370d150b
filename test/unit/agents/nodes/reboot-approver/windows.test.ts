import assert from "node:assert/strict";
import { openUntil } from "../../../../../agents/nodes/reboot-approver/decide";

const seconds = (text: string) => Date.parse(text) / 1000;
/** In a week that begins with Sunday 2026-11-22. */
const at = (text: string) => seconds(`2026-11-${text}:00Z`);

describe("a reboot window", () => {
    const sunday = { days: [0], start: 120, minutes: 180 };
    const nights = { days: [5, 6], start: 22 * 60, minutes: 240 };
    const table: [string, string, string | undefined][] = [
        ["is closed before it starts", "21T21:59", undefined],
        ["opens", "22T02:00", "22T05:00"],
        ["is open until it ends", "22T04:59", "22T05:00"],
        ["ends", "22T05:00", undefined],
        ["is closed on another day", "23T03:00", undefined],
        ["lasts into the next day", "28T01:00", "28T02:00"],
        ["lasts into the next week", "29T01:30", "29T02:00"],
        ["does not last into a day after one on which it did not start", "27T01:00", undefined],
    ];
    for (const [title, now, end] of table) {
        it(title, () => assert.equal(openUntil([sunday, nights], at(now)), end && at(end)));
    }

    it("is open for as long as any of them is", () => {
        const long = { days: [0, 1, 2, 3, 4, 5, 6], start: 0, minutes: 1440 };
        assert.equal(openUntil([sunday, long], at("22T03:00")), at("23T00:00"));
    });
});
