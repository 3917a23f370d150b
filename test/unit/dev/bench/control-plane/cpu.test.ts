import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { CPU_SCRIPT, cpuTimes, millicores } from "../../../../../dev/bench/control-plane/cpu";

/** A line of /proc/PID/stat. Unit of times: hundredths of a second. */
const line = (id: number, name: string, [user, system]: [number, number], start: number) =>
    `${id} (${name}) S 1 1 1 0 -1 4194560 10 20 0 0 ${user} ${system} 0 0 20 0 1 0 ${start} 5000 100`;

describe("the CPU time of a machine", () => {
    it("is what its processes used between two moments", () => {
        const before = [line(7, "etcd", [100, 50], 10), line(8, "a) b (c", [5, 5], 11)].join("\n");
        const after = [
            line(7, "etcd", [110, 60], 10),
            line(8, "a) b (c", [5, 15], 11),
            line(9, "new", [10, 0], 500),
        ].join("\n");
        assert.equal(Math.round(millicores(before, after, 2)), 200);
    });

    it("counts a process whose ID was used before from its start", () => {
        assert.equal(Math.round(millicores(line(7, "old", [900, 0], 10), line(7, "new", [20, 0], 300), 1)), 200);
    });

    it("is read from the kernel", function () {
        if (process.platform !== "linux") this.skip();
        const times = cpuTimes(execFileSync("sh", ["-c", CPU_SCRIPT], { encoding: "utf8" }));
        const own = [...times].find(([key]) => key.startsWith(`${process.pid} `));
        assert.ok(own && own[1] > 0 && own[1] < 600, String(own));
    });
});
