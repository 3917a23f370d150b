import assert from "node:assert/strict";
import fc from "fast-check";
import { hostAddress, overlaps, parseCidr, requireBlocks } from "../../../../cluster/network/cidr";

describe("cidr", () => {
    for (const [text, message] of [
        ["10.0.0.1/16", "option must have no host bits set (got 10.0.0.1/16): did you mean 10.0.0.0/16?"],
        ["10.0.0.0", 'option must be an IPv4 block such as 10.0.0.0/16 (got "10.0.0.0")'],
        ["10.0.0.0/33", 'option must be an IPv4 block such as 10.0.0.0/16 (got "10.0.0.0/33")'],
        ["fd00::/8", 'option must be an IPv4 block such as 10.0.0.0/16 (got "fd00::/8")'],
        ["", 'option must be an IPv4 block such as 10.0.0.0/16 (got "")'],
    ]) {
        it(`refuses ${JSON.stringify(text)}`, () => {
            assert.throws(() => parseCidr("option", text!), { message });
        });
    }

    it("counts addresses from the network's own", () => {
        const block = parseCidr("option", "10.3.0.0/24");
        assert.equal(hostAddress(block, 1), "10.3.0.1");
        assert.equal(hostAddress(block, 255), "10.3.0.255");
        assert.throws(() => hostAddress(block, 256), { message: "10.3.0.0/24 must hold at least 257 addresses" });
    });

    it("sees every overlap, from either side", () => {
        const prefix = fc.integer({ min: 8, max: 30 });
        fc.assert(
            fc.property(fc.nat(0xffffffff), prefix, prefix, (address, long, short) => {
                const block = (bits: number) => {
                    const size = 2 ** (32 - bits);
                    const first = Math.floor(address / size) * size;
                    const octets = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256);
                    return parseCidr("option", `${octets.join(".")}/${bits}`);
                };
                assert(overlaps(block(long), block(short)));
                assert(overlaps(block(short), block(long)));
            }),
        );
        assert(!overlaps(parseCidr("a", "10.0.0.0/16"), parseCidr("b", "10.1.0.0/16")));
    });

    it("are checked one by one in a list, which must not be empty", () => {
        requireBlocks("blocks", undefined);
        requireBlocks("blocks", ["10.0.0.0/8", "192.0.2.7/32"]);
        assert.throws(() => requireBlocks("blocks", []), { message: "blocks must not be empty" });
        assert.throws(
            () => requireBlocks("blocks", ["10.0.0.0/8", "10.0.0.1/8"]),
            /^Error: blocks\[1\] must have no host bits/,
        );
    });
});
