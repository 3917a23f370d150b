import assert from "node:assert/strict";
import { parseIdle } from "../../../../../dev/bench/control-plane/timed-returns";

describe("the usage of a process", () => {
    it("is its CPU time and its share of memory", () => {
        assert.deepEqual(parseIdle("150 50\nPss:               51200 kB\n"), { seconds: 2, mebibytes: 50 });
    });

    it("is unknown for an exited process", () => {
        assert.throws(() => parseIdle("cut: no such file"), /the process is not running \(got cut: no such file/);
    });
});
