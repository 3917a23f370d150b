import assert from "node:assert/strict";
import fc from "fast-check";
import { loopbackAddress } from "../../../../agents/common/loopback";

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
