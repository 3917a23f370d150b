import assert from "node:assert/strict";
import { hostAddress6, overlaps, parseCidr6 } from "../../../../cluster/network/cidr";

describe("cidr of IPv6", () => {
    const shape = "option must be an IPv6 block such as fd00:10:2::/56 (got";
    const legal = "option must be unique local (in fc00::/7) or global unicast (in 2000::/3) (got";
    for (const [text, message] of [
        ["fd00::1/64", "option must have no host bits set (got fd00::1/64): did you mean fd00::/64?"],
        ["fd00::", `${shape} "fd00::")`],
        ["fd00::/129", `${shape} "fd00::/129")`],
        ["fd00:::/64", `${shape} "fd00:::/64")`],
        ["fd00::%eth0/64", `${shape} "fd00::%eth0/64")`],
        ["10.0.0.0/16", `${shape} "10.0.0.0/16")`],
        ["", `${shape} "")`],
        ["fe80::/64", `${legal} fe80::/64)`],
        ["ff00::/56", `${legal} ff00::/56)`],
        ["::/0", `${legal} ::/0)`],
        ["f000::/4", `${legal} f000::/4)`],
    ]) {
        it(`refuses ${JSON.stringify(text)}`, () => {
            assert.throws(() => parseCidr6("option", text!), { message });
        });
    }

    it("has one text, however it was written", () => {
        assert.equal(parseCidr6("option", "FD00:0010:0:0::/56").text, "fd00:10::/56");
        assert.equal(parseCidr6("option", "2001:db8::/48").text, "2001:db8::/48");
    });

    it("counts addresses from the network's own", () => {
        assert.equal(hostAddress6(parseCidr6("option", "fd00::/64"), 300), "fd00::12c");
    });

    it("sees overlaps", () => {
        const block = (text: string) => parseCidr6("option", text);
        assert(overlaps(block("fd00::/48"), block("fd00:0:0:ff::/64")));
        assert(!overlaps(block("fd00::/48"), block("fd00:0:1::/48")));
    });
});
