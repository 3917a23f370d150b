import assert from "node:assert/strict";
import { BlockList } from "node:net";
import fc from "fast-check";
import {
    bitString,
    child,
    children,
    content,
    integer,
    octetString,
    oid,
    sequence,
    time,
} from "../../../../clients/x509/der";
import { ipBytes, keyUsage } from "../../../../clients/x509/extensions";

describe("DER", () => {
    const cases: [string, Buffer, string][] = [
        ["zero", integer(0), "020100"],
        ["an integer with its high bit set", integer(128), "02020080"],
        ["an integer with leading zeros", integer(Buffer.from([0, 0, 1])), "020101"],
        ["an object identifier", oid("1.2.840.113549.1.1.11"), "06092a864886f70d01010b"],
        ["a bit string", bitString(Buffer.from([0xa0]), 5), "030205a0"],
        ["a time before 2050", time(new Date("2049-12-31T23:59:59.999Z")), `170d${hex("491231235959Z")}`],
        ["a time from 2050 on", time(new Date("2050-01-01T00:00:00Z")), `180f${hex("20500101000000Z")}`],
    ];
    for (const [title, der, expected] of cases) {
        it(`writes ${title}`, () => assert.equal(der.toString("hex"), expected));
    }

    it("reads back what it wrote, whatever its size", () => {
        const parts = fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 5 });
        fc.assert(
            fc.property(parts, (values) => {
                const read = children(sequence(...values.map((value) => octetString(value))));
                assert.deepEqual(
                    read.map((der) => Buffer.from(content(der)).toString("hex")),
                    values.map((value) => Buffer.from(value).toString("hex")),
                );
            }),
        );
    });

    it("rejects truncated data", () => {
        assert.throws(() => content(Buffer.from("0405", "hex")), /unexpected end/);
        assert.throws(() => children(Buffer.from("300104", "hex")), /unexpected end/);
    });

    it("names the position of a missing element", () => {
        assert.throws(() => child(Buffer.from("3000", "hex"), 0), /must have an element at position 0/);
    });

    it("writes key usages with as few bits as needed (X.690 11.2.2)", () => {
        assert.match(Buffer.concat(keyUsage(["digital_signature", "key_encipherment"])).toString("hex"), /030205a0$/);
        assert.match(Buffer.concat(keyUsage(["decipher_only"])).toString("hex"), /0303070080$/);
        assert.deepEqual(keyUsage(["server_auth"]), []);
    });
});

describe("addresses in certificates", () => {
    const cases: [string, string][] = [
        ["10.0.0.1", "0a000001"],
        ["::", "00".repeat(16)],
        ["::1", `${"00".repeat(15)}01`],
        ["fd00:1::a:b", "fd000001000000000000000000" + "0a000b"],
        ["::ffff:192.0.2.1", "00000000000000000000ffffc0000201"],
        ["1:2:3:4:5:6:7:8", "00010002000300040005000600070008"],
    ];
    for (const [address, expected] of cases) {
        it(`are bytes: ${address}`, () => assert.equal(ipBytes(address).toString("hex"), expected));
    }

    it("are the same address as Node understands", () => {
        fc.assert(
            fc.property(fc.ipV6(), (address) => {
                const full = ipBytes(address).toString("hex").match(/..../g)!.join(":");
                const list = new BlockList();
                list.addAddress(full, "ipv6");
                assert.ok(list.check(address, "ipv6"));
            }),
        );
    });

    it("must be valid", () => {
        assert.throws(() => ipBytes("10.0.0.256"), /ipAddresses must be IP addresses \(got 10.0.0.256\)/);
    });
});

function hex(text: string): string {
    return Buffer.from(text).toString("hex");
}
