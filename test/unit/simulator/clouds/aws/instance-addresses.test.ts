import assert from "node:assert/strict";
import { ipv6AddressIn } from "../../../../../simulator/clouds/aws/instances";

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
