import assert from "node:assert/strict";
import { importResults } from "../../../../dev/bench/package";

describe("the cost of importing the package", () => {
    const results = importResults("aws", { value: 1200, peer: 1000 }, [100e6, 125e6, 110e6]);

    it("is compared to limits of 1.5 seconds and 250 MB, using the maximum memory of all rounds", () => {
        const [time, , memory] = results;
        assert.deepEqual(
            [time!.name, time!.value, time!.peer, time!.goal],
            ["package.import-time-aws", 1.2, "the limit of 1.5 s", 1],
        );
        assert.deepEqual(
            [memory!.name, memory!.value, memory!.ratio, memory!.goal],
            ["package.memory-aws", 125, 0.5, 1],
        );
    });

    it("is compared to only Pulumi's SDK", () => {
        const { name, value, ratio, goal } = results[1]!;
        assert.deepEqual([name, value, ratio, goal], ["package.import-aws", 1.2, 1.2, 1.5]);
    });
});
