import assert from "node:assert/strict";
import type { WorkerPoolOptions } from "../../../../components/cluster/options";
import { localNetwork } from "../../../../components/local/network";
import { fixedCluster } from "../fixture";

const network = (workerPools: WorkerPoolOptions[], count = 1) =>
    localNetwork(fixedCluster({ controllers: { count }, workerPools }), "192.0.2.0/24");

describe("the machines' network", () => {
    it("has the infrastructure first, then controllers, then workers", () => {
        const { infra, loadBalancer, machines } = network([{ name: "a", count: 2 }, { name: "b" }], 3);
        assert.deepEqual({ infra, loadBalancer }, { infra: "192.0.2.2", loadBalancer: "192.0.2.3" });
        assert.deepEqual(machines, {
            "c-controller-0": "192.0.2.11",
            "c-controller-1": "192.0.2.12",
            "c-controller-2": "192.0.2.13",
            "c-a-0": "192.0.2.21",
            "c-a-1": "192.0.2.22",
            "c-b-0": "192.0.2.23",
        });
    });

    it("keeps every worker's address when the last pool grows, or controllers are added", () => {
        const { machines: before } = network([{ name: "a" }, { name: "b" }]);
        const { machines: after } = network([{ name: "a" }, { name: "b", count: 3 }], 5);
        assert.deepEqual({ ...after, ...before }, after);
    });
});
