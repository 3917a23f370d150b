import assert from "node:assert/strict";
import { addressesOf, machineOf } from "../../../../components/local/machine";
import { localNetwork } from "../../../../components/local/network";
import { dualStack, fixedCluster } from "../in-cluster/fixture";

describe("a local machine", () => {
    const of = (network: object) =>
        machineOf(localNetwork(fixedCluster({ network }), "192.0.2.0/24"), "c-controller-0");

    it("has the address of its place", () => {
        assert.deepEqual(of({}), { name: "c-controller-0", address: "192.0.2.11" });
        assert.deepEqual(addressesOf(of({})), ["192.0.2.11"]);
    });

    it("has one by IPv6 after it in a cluster of both", () => {
        assert.deepEqual(addressesOf(of(dualStack)), ["192.0.2.11", "fd74:7264:c000:200::b"]);
    });
});
