import assert from "node:assert/strict";
import { results } from "../../../../dev/bench/bootstrap";

describe("the results of the bootstrap benchmark", () => {
    const boot = (firstApi: number, complete: number, mebibytes: number) => ({
        firstApi,
        complete,
        memory: { etcd: mebibytes / 4, kubelet: (mebibytes * 3) / 4 },
        machine: { mebibytes, millicores: 100 },
    });

    it("are our medians divided by those of kubeadm", () => {
        const mine = [boot(9000, 30_000, 660), boot(11_000, 34_000, 640)];
        const theirs = [boot(20_000, 20_000, 500)];
        assert.deepEqual(
            results(mine, theirs).map(({ name, value, unit, ratio, goal }) => [name, value, unit, ratio, goal]),
            [
                ["bootstrap.first-api", 10, "s", 0.5, 0.55],
                ["bootstrap.pivot-complete", 32, "s", 1.6, 1.2],
                ["bootstrap.controller-memory", 650, "MiB", 1.3, 1.0],
            ],
        );
    });
});
