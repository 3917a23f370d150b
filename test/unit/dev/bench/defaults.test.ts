import assert from "node:assert/strict";
import { resolveCluster } from "../../../../cluster/resolve";
import { results, without } from "../../../../dev/bench/defaults";

const boot = (firstApi: number, mebibytes: number, millicores: number) => ({
    firstApi,
    machine: { mebibytes, millicores },
});

describe("the benchmark of secure defaults", () => {
    it("divides the medians of boots with all of them by a boot without one", () => {
        const full = [boot(6000, 900, 100), boot(8000, 1100, 200)];
        assert.deepEqual(
            results("audit-log", full, boot(5000, 800, 120)).map(({ name, value, ratio }) => [name, value, ratio]),
            [
                ["defaults.audit-log.first-api", 7, 1.4],
                ["defaults.audit-log.memory", 1000, 1.25],
                ["defaults.audit-log.idle-cpu", 150, 1.25],
            ],
        );
    });

    for (const [name, { machineCidr, downloads, ...options }] of Object.entries(without)) {
        it(`turns off ${name} by options that differ from the defaults`, () => {
            const cluster = resolveCluster({ name: "c", ...options });
            assert.notDeepEqual(cluster, resolveCluster({ name: "c" }));
        });
    }
});
