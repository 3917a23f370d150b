import assert from "node:assert/strict";
import { ipv6AddressIn, requireFree } from "../../../../../simulator/clouds/aws/instances";

describe("the IPv6 address of a simulated instance", () => {
    const ipv6Cidr = "2001:db8:1000:1a00::/64";

    it("is one of its subnet's that no other instance had", () => {
        const addresses = [0, 1, 12].map((given) => ipv6AddressIn({ ipv6Cidr, givesIpv6: true }, given));
        assert.deepEqual(addresses, ["2001:db8:1000:1a00::4", "2001:db8:1000:1a00::5", "2001:db8:1000:1a00::10"]);
    });

    it("is missing if the subnet has no block, or does not assign addresses", () => {
        for (const subnet of [{}, { ipv6Cidr }, { ipv6Cidr, givesIpv6: false }]) {
            assert.equal(ipv6AddressIn(subnet, 0), undefined);
        }
    });
});

describe("an address that a person chose for a simulated instance", () => {
    const refusal = (address: string) => {
        try {
            return requireFree(address, "10.9.0.16/28", ["10.9.0.22"]);
        } catch (error) {
            return (error as Error).message.replace(address, "ADDRESS");
        }
    };

    it("is refused if it is of another subnet, reserved or in use", () => {
        for (const [address, message] of [
            ["10.9.0.20", undefined],
            ["10.9.0.30", undefined],
            ["10.9.0.15", "InvalidParameterValue: Address ADDRESS does not fall within the subnet's address range"],
            ["10.9.0.19", "InvalidParameterValue: Address ADDRESS is in subnet's reserved address range"],
            ["10.9.0.31", "InvalidParameterValue: Address ADDRESS is in subnet's reserved address range"],
            ["10.9.0.22", "InvalidIPAddress.InUse: Address ADDRESS is in use."],
        ] as const) {
            assert.equal(refusal(address), message, address);
        }
    });
});
