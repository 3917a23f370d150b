import assert from "node:assert/strict";
import type { PrometheusOptions } from "../../../cluster/options";
import { resolveCluster } from "../../../cluster/resolve";

describe("the option prometheus", () => {
    const resolve = (prometheus?: PrometheusOptions, others: object = {}) =>
        resolveCluster({ name: "c", ...(prometheus && { prometheus }), ...others }).prometheus;

    it("is off by default, and has defaults", () => {
        assert.equal(resolve(), undefined);
        assert.deepEqual(resolve({}), { alertmanagers: [], retention: 1_296_000, storageSize: 10, memory: 1024 });
    });

    it("takes URLs of Alertmanagers, with a path or an IPv6 address", () => {
        const alertmanagers = ["http://alertmanager.monitoring.svc:9093", "https://a.example/x/", "http://[fd00::1]:1"];
        assert.deepEqual(resolve({ alertmanagers })?.alertmanagers, alertmanagers);
    });

    const base = "the base URL of an Alertmanager, such as http://alertmanager.monitoring.svc:9093";
    for (const [options, error] of [
        [{ alertmanagers: ["a:9093"] }, `prometheus.alertmanagers[0] must be ${base} (got a:9093)`],
        [
            { alertmanagers: ["http://a", "https://user:secret@b"] },
            `prometheus.alertmanagers[1] must be ${base} (got https://...@b)`,
        ],
        [
            { alertmanagers: ["http://a/api/v2/alerts"] },
            `prometheus.alertmanagers[0] must be ${base} (got http://a/api/v2/alerts)`,
        ],
        [{ retention: "30m" }, "prometheus.retention must be a duration from 1h to 3650d (got 30m)"],
        [{ storageSize: 0 }, "prometheus.storageSize must be a whole number from 1 to 10000 (got 0)"],
        [{ storageSize: 1.5 }, "prometheus.storageSize must be a whole number from 1 to 10000 (got 1.5)"],
        [{ memory: 64 }, "prometheus.memory must be a whole number from 256 to 262144 (got 64)"],
        [{ storageClass: "Local!" }, "prometheus.storageClass must be the name of a storage class (got Local!)"],
    ] as const) {
        it(`is refused: ${error}`, () =>
            assert.throws(() => resolve(options as unknown as PrometheusOptions), { message: error }));
    }

    it("needs the metrics that it scrapes", () => {
        assert.throws(() => resolve({}, { metrics: false }), { message: "prometheus requires metrics" });
    });
});
