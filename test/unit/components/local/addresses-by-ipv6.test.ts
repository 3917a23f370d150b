import assert from "node:assert/strict";
import { parseCidr } from "../../../../cluster/network/cidr";
import { addressesByIpv6 } from "../../../../components/local/network";
import { dualStack, fixedCluster } from "../in-cluster/fixture";

describe("machines' addresses by IPv6", () => {
    const of = (block: string, addresses: Record<string, string>, network: object = {}) =>
        addressesByIpv6(fixedCluster({ network: { ...dualStack, ...network } }), parseCidr("block", block), addresses);

    it("are at the places that those by IPv4 have, in another block for another one", () => {
        const one = of("192.0.2.0/24", { a: "192.0.2.11", b: "192.0.2.254" });
        assert.equal(one.cidr.text, "fd74:7264:c000:200::/64");
        assert.deepEqual(one.machines, { a: "fd74:7264:c000:200::b", b: "fd74:7264:c000:200::fe" });
        const other = of("10.0.0.0/16", { a: "10.0.1.1" });
        assert.equal(other.cidr.text, "fd74:7264:a00::/64");
        assert.deepEqual(other.machines, { a: "fd74:7264:a00::101" });
    });

    for (const [option, block] of [
        ["podCidr6", "fd74:7264:c000::/48"],
        ["serviceCidr6", "fd74:7264:c000:200::/112"],
    ] as const) {
        it(`do not overlap with others: ${option}`, () => {
            assert.throws(() => of("192.0.2.0/24", {}, { [option]: block }), {
                message: `network.${option} must not overlap the machines' fd74:7264:c000:200::/64 (got ${block})`,
            });
        });
    }
});
