import assert from "node:assert/strict";
import { etcdResults } from "../../../../dev/bench/etcd";

describe("the results of the etcd benchmark", () => {
    it("are the longest pause of all changes, and the failed writes of all", () => {
        const counts = [
            { acknowledged: ["a", "b"], failures: ["1.0s: answers 500"], longestGap: 1_200 },
            { acknowledged: ["c"], failures: [], longestGap: 3_000 },
        ];
        assert.deepEqual(
            etcdResults(counts).map(({ name, value, unit, ratio, goal }) => [name, value, unit, ratio, goal]),
            [
                ["etcd.longest-pause", 3, "s", 2, 1],
                ["etcd.failed-writes", 1, "writes", 0.25, 0],
            ],
        );
    });
});
