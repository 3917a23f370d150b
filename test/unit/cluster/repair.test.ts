import assert from "node:assert/strict";
import type { RepairOptions } from "../../../cluster/options";
import { resolveCluster } from "../../../cluster/resolve";

describe("repair", () => {
    const resolve = (repair?: RepairOptions) => resolveCluster({ name: "c", ...(repair && { repair }) }).repair;

    it("is off by default, and has defaults", () => {
        assert.equal(resolve(), undefined);
        assert.deepEqual(resolve({}), { restartAfter: 300, replaceAfter: 900, maxUnavailablePercentage: 20 });
    });

    for (const [options, error] of [
        [{ restartAfter: "1m" }, "repair.restartAfter must be a duration from 2m to 1d (got 1m)"],
        [{ replaceAfter: "3m" }, "repair.replaceAfter must be a duration from 4m to 7d (got 3m)"],
        [
            { restartAfter: "10m", replaceAfter: "11m" },
            "repair.replaceAfter must be at least 2m longer than restartAfter (10m) (got 11m)",
        ],
        [
            { maxUnavailablePercentage: 0 },
            "repair.maxUnavailablePercentage must be a whole number from 1 to 50 (got 0)",
        ],
        [
            { maxUnavailablePercentage: 51 },
            "repair.maxUnavailablePercentage must be a whole number from 1 to 50 (got 51)",
        ],
    ] as const) {
        it(`is refused: ${error}`, () => assert.throws(() => resolve(options), { message: error }));
    }
});
