import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { controlPlaneMemory, MEMORY_SCRIPT } from "../../../../../dev/bench/control-plane/memory";

describe("the memory of a control plane", () => {
    it("is that of its own processes, by name, including both of a pair", () => {
        const processes = {
            systemd: 4096,
            etcd: 51200,
            haproxy: 1024,
            "kube-controller": 1024,
            "containerd-shim": 9999,
        };
        const lines = [...Object.entries(processes), ["haproxy", 2048]].flatMap(([name, kibibytes], id) => [
            `/proc/${id}/comm:${name}`,
            `/proc/${id}/smaps_rollup:Pss:            ${kibibytes} kB`,
        ]);
        // In the order printed by the script: all names, then all sizes.
        assert.deepEqual(
            controlPlaneMemory(lines.sort((a, b) => Number(/Pss/.test(a)) - Number(/Pss/.test(b))).join("\n")),
            {
                etcd: 50,
                haproxy: 3,
                "kube-controller": 1,
            },
        );
    });

    it("is read from the kernel as lines with a name and KiB", function () {
        if (process.platform !== "linux") {
            this.skip();
        }
        const printed = execFileSync("sh", ["-c", MEMORY_SCRIPT], { encoding: "utf8" });
        assert.match(printed, new RegExp(`^/proc/${process.pid}/comm:`, "m"));
        assert.match(printed, new RegExp(`^/proc/${process.pid}/smaps_rollup:Pss: +\\d{4,} kB$`, "m"));
    });
});
