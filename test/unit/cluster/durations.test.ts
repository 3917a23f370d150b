import assert from "node:assert/strict";
import { requireDuration } from "../../../cluster/durations";

describe("A duration", () => {
    for (const [text, seconds] of [
        ["60s", 60],
        ["30m", 1800],
        ["12h", 43_200],
        ["7d", 604_800],
    ] as const) {
        it(`${text} is ${seconds} seconds`, () => assert.equal(requireDuration("a", text, "1m"), seconds));
    }

    for (const text of ["", "0m", "59s", "1.5h", "1w", "h", "1h30m", "-1h", " 1h", "9999999d"]) {
        it(`is not ${text || '""'}`, () => {
            const message = `a must be a duration of 1m or more, such as 30m, 12h or 7d (got ${text || '""'})`;
            assert.throws(() => requireDuration("a", text, "1m"), { message });
        });
    }
});
