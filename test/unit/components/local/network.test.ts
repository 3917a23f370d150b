import assert from "node:assert/strict";
import type { WorkerPoolOptions } from "../../../../cluster/options";
import { localNetwork } from "../../../../components/local/network";
import { dualStack, fixedCluster } from "../in-cluster/fixture";

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
            "c-a-0": "192.0.2.32",
            "c-a-1": "192.0.2.33",
            "c-b-0": "192.0.2.64",
        });
    });

    it("keeps every worker's address when any pool grows, one is added after the others, or controllers are added", () => {
        const { machines: before } = network([{ name: "a" }, { name: "b" }]);
        const { machines: after } = network([{ name: "a", count: 9 }, { name: "b", count: 3 }, { name: "d" }], 5);
        assert.deepEqual({ ...after, ...before }, after);
    });

    it("gives no address twice, nor the broadcast address", () => {
        const pools = Array.from({ length: 7 }, (_, index) => ({ name: `p${index}`, count: 31 }));
        const addresses = Object.values(network(pools, 5).machines);
        assert.equal(new Set(addresses).size, addresses.length);
        assert(!addresses.includes("192.0.2.255"));
    });

    it("has addresses by IPv6 where pods have", () => {
        const { byIpv6 } = localNetwork(fixedCluster({ network: dualStack }), "192.0.2.0/24");
        assert.deepEqual(byIpv6!.machines, { "c-controller-0": "fd74:7264:c000:200::b" });
        assert.equal(network([]).byIpv6, undefined);
    });

    it("refuses pools that its blocks cannot hold", () => {
        assert.throws(() => network([{ name: "a", count: 32 }]), {
            message: "workerPools[0].count must be at most 31 in a machineCidr of 192.0.2.0/24 (got 32)",
        });
        assert.throws(() => network(Array.from({ length: 8 }, (_, index) => ({ name: `p${index}` }))), {
            message: "workerPools must be at most 7 pools (got 8)",
        });
    });
});
