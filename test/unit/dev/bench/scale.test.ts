import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { limited } from "../../../../dev/bench/report";
import { childrenTime, growthOf, growthTable, type Measured } from "../../../../dev/bench/scale/growth";
import { inParallel } from "../../../../dev/bench/scale/nodes";

describe("the growth with the number of nodes", () => {
    it("is measured in the CPU time of programs that have ended, not in the time that passes", () => {
        const timeOf = (program: string) => {
            const before = childrenTime();
            spawnSync(process.execPath, ["-e", program]);
            return childrenTime() - before;
        };
        const idle = timeOf("setTimeout(() => undefined, 300)");
        const busy = timeOf("while (process.cpuUsage().user < 400_000);");
        assert.ok(busy >= 350 && idle < busy, `${idle} ${busy}`);
    });

    const measured = new Map<number, Measured>([
        [10, { "status, s": 0.5, "up, ms": 1000 }],
        [100, { "status, s": 0.6 }],
        [1000, { "status, s": 1.49, "up, ms": 15_850, failures: 3 }],
    ]);

    it("is that from the smallest to the largest number that was measured, per node", () => {
        assert.equal(growthOf(measured, "up, ms"), 15);
        assert.equal(growthOf(measured, "status, s")!.toFixed(4), "0.0010");
        assert.equal(growthOf(measured, "failures"), undefined);
    });

    it("is a table with a row for each measurement", () => {
        assert.deepEqual(growthTable(measured), [
            "|  | 10 nodes | 100 nodes | 1000 nodes | per node |",
            "| --- | --- | --- | --- | --- |",
            "| status, s | 0.5 | 0.6 | 1.49 | 0.001 |",
            "| up, ms | 1000 |  | 15900 | 15 |",
            "| failures |  |  | 3 |  |",
        ]);
    });

    it("is compared to a limit", () => {
        const { name, ratio, goal } = limited("scale.status", "s", 1.5, 2);
        assert.deepEqual([name, ratio, goal], ["scale.status", 0.75, 1]);
    });

    it("is measured with several requests at a time, each once", async () => {
        let [running, most] = [0, 0];
        const done: number[] = [];
        await inParallel(
            [1, 2, 3, 4, 5],
            async (each) => {
                most = Math.max(most, ++running);
                await new Promise(setImmediate);
                running--;
                done.push(each);
            },
            2,
        );
        assert.deepEqual([most, done.sort()], [2, [1, 2, 3, 4, 5]]);
    });
});
