import assert from "node:assert/strict";
import { readLaunches } from "../../../../../cli/status/collect/launches";
import { known, unknown } from "../../../../../cli/status/facts";

describe("how a cloud launches machines, for status,", () => {
    it("is known by pool, or not for a reason, and never delays status for long", async () => {
        const launches = { group: "c-a", machines: [], failures: ["no capacity"] };
        const answers: Readonly<Record<string, () => Promise<typeof launches>>> = {
            a: async () => launches,
            b: async () => {
                throw new Error("no AWS credentials were found");
            },
            c: () => new Promise(() => {}),
        };
        assert.deepEqual(await readLaunches(["a", "b", "c"], (pool) => answers[pool]!(), 20), {
            a: known(launches),
            b: unknown("no AWS credentials were found"),
            c: unknown("no response within 0.02 s"),
        });
    });
});
