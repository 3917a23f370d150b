import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { groups, rounded } from "../../../../dev/bench";
import { compare, median } from "../../../../dev/bench/report";

describe("the benchmarks", () => {
    it("are the files of their folder", () => {
        assert.ok(groups().includes("ignition") && groups().includes("preview"));
        assert.ok(!groups().includes("index") && !groups().includes("report"));
    });

    it("list the groups if an unknown one is requested", function () {
        this.timeout(30_000);
        const { status, stdout, stderr } = spawnSync(process.execPath, ["dev/run.cjs", "bench", "nope"], {
            cwd: resolve(__dirname, "../../../.."),
            encoding: "utf8",
        });
        assert.equal(status, 2);
        assert.equal(stdout, "");
        assert.match(stderr, new RegExp(`group must be ${groups().join(", ")} \\(got nope\\)`));
    });

    it("use the median of measurements", () => {
        assert.equal(median([3, 1, 2]), 2);
        assert.equal(median([4, 1, 100, 2]), 3);
    });

    it("measure alternately, after a warm-up round", async () => {
        const calls: string[] = [];
        await compare(
            2,
            () => calls.push("ours"),
            () => calls.push("peer"),
        );
        assert.deepEqual(calls, ["ours", "peer", "ours", "peer", "ours", "peer"]);
    });

    it("print only significant digits", () => {
        const result = { name: "a", value: 1.23456, unit: "ms", peer: "b", ratio: 0.98765, goal: 1 };
        assert.deepEqual(rounded(result), { ...result, value: 1.235, ratio: 0.988 });
    });
});
