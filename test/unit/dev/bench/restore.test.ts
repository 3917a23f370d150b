import assert from "node:assert/strict";
import { restored } from "../../../../dev/bench/restore";

const start = [
    { stage: "artifacts", seconds: 100 },
    { stage: "pulumi up", seconds: 40 },
    { stage: "ready", seconds: 10 },
];
const result = { cluster: "bench", timings: [], seconds: 75 };

describe("the restore benchmark", () => {
    it("is compared to the first start, without downloads and builds", () => {
        const { value, ratio } = restored(
            { ...result, comparison: { compared: 9, ignored: 0, differences: [] } },
            start,
        );
        assert.deepEqual([value, ratio], [75, 1.5]);
    });

    it("is invalid if an object was not restored correctly", () => {
        const differences = [{ kind: "missing", object: "ConfigMap default/a" }] as const;
        assert.throws(
            () => restored({ ...result, comparison: { compared: 9, ignored: 0, differences } }, start),
            /1 of 9 objects were not restored/,
        );
    });
});
