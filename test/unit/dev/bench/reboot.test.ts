import assert from "node:assert/strict";
import { results } from "../../../../dev/bench/reboot";

describe("the results of the reboot benchmark", () => {
    const idle = (mebibytes: number, cpu: number) => ({ mebibytes, cpu });

    it("are our medians divided by those of kubeadm", () => {
        const mine = [
            { powerCut: 9_000, reboot: 20_000, boot: 5_000, gap: 6_000, idle: [idle(40, 0.01), idle(80, 0.04)] },
            { powerCut: 11_000, reboot: 30_000, boot: 7_000, gap: 8_000, idle: [idle(50, 0.03), idle(100, 0.04)] },
        ];
        const theirs = [{ powerCut: 10_000, reboot: 20_000, boot: 5_000, gap: 5_000, idle: [] }];
        assert.deepEqual(
            results(mine, theirs).map(({ name, value, unit, ratio, goal }) => [name, value, unit, ratio, goal]),
            [
                ["reboot.power-cut-to-api", 10, "s", 1, 1.2],
                ["reboot.reboot-to-api", 25, "s", 1.25, 1.2],
                ["reboot.boot-to-api", 6, "s", 1.2, 1.2],
                ["reboot.api-gap", 7, "s", 1.4, 1.2],
                ["reboot.checkpointer-idle-memory", 45, "MiB", 0.5, 1],
                ["reboot.checkpointer-idle-cpu", 0.02, "CPUs", 0.5, 0.5],
            ],
        );
    });
});
