import assert from "node:assert/strict";
import fc from "fast-check";
import { isLoopbackAddress, loopbackAddress, replaceAddress } from "../../../../clients/kubernetes/loopback";

describe("loopbackAddress", () => {
    it("stays in 127.64.0.0/10 and never ends in 0 or 255", () => {
        fc.assert(
            fc.property(fc.json(), (content) => {
                const [a, b, , d] = loopbackAddress(content).split(".").map(Number) as [number, number, number, number];
                assert(a === 127 && b >= 64 && b < 128 && d > 0 && d < 255);
            }),
        );
    });

    it("differs when the content differs", () => {
        assert.notEqual(loopbackAddress({ flag: "a" }), loopbackAddress({ flag: "b" }));
        assert.equal(loopbackAddress({ flag: "a" }), loopbackAddress({ flag: "a" }));
    });
});

describe("a loopback address of a generation", () => {
    it("is any that loopbackAddress returns", () => {
        fc.assert(fc.property(fc.json(), (content) => isLoopbackAddress(loopbackAddress(content))));
    });

    for (const text of [
        ...["", "127.0.0.1", "127.63.1.1", "127.128.1.1", "128.64.1.1", "127.64.1.256", "127.64.1", "127.64.1.1.1"],
        ...[
            "127.064.1.1",
            "127.64.1.01",
            " 127.64.1.1",
            "127.64.1.1\n",
            "0x7f.64.1.1",
            "::ffff:127.64.1.1",
            "127.64.1.-1",
        ],
        ...[".*", "127.64.1.1|x", "127.64.1.1:6443", "(?:a+)+"],
    ]) {
        it(`is not ${JSON.stringify(text)}`, () => assert.equal(isLoopbackAddress(text), false));
    }
});

describe("replacing an address", () => {
    it("replaces whole addresses only", () => {
        const text = "127.64.1.2 127.64.1.23 1127.64.1.2 --bind=127.64.1.2:6443 127.64.1.2.3 (127.64.1.2) 127.64.1.2.";
        assert.equal(
            replaceAddress(text, "127.64.1.2", "X"),
            "X 127.64.1.23 1127.64.1.2 --bind=X:6443 127.64.1.2.3 (X) X.",
        );
    });

    it("replaces strings at any depth and nothing else", () => {
        const value = { a: ["127.64.1.2", 1, null, { b: true }], "127.64.1.2": "c" };
        assert.deepEqual(replaceAddress(value, "127.64.1.2", "127.65.0.1"), {
            a: ["127.65.0.1", 1, null, { b: true }],
            "127.64.1.2": "c",
        });
    });

    it("matches the address literally", () => {
        assert.equal(replaceAddress("127a64b1c2 $& .*", "127.64.1.2", "$&"), "127a64b1c2 $& .*");
        assert.equal(replaceAddress("127.64.1.2", "127.64.1.2", "$&"), "$&");
    });
});
