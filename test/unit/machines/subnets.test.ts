import assert from "node:assert/strict";
import fc from "fast-check";
import { freeSubnet, overlaps } from "../../../machines/subnets";

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,30}$/);
const subnet = fc.nat(255).map((n) => `10.117.${n}.0/24`);

describe("overlaps", () => {
    for (const [a, b, expected] of [
        ["10.117.5.0/24", "10.117.5.0/24", true],
        ["10.117.5.0/24", "10.0.0.0/8", true],
        ["10.117.5.7", "10.117.5.0/24", true],
        ["0.0.0.0/0", "10.117.5.0/24", true],
        ["10.117.5.0/24", "10.117.6.0/24", false],
        ["10.117.4.0/23", "10.117.6.0/24", false],
        ["fd00::/64", "10.117.5.0/24", false],
    ] as const) {
        it(`is ${expected} for ${a} and ${b}, in both orders`, () => {
            assert.equal(overlaps(a, b), expected);
            assert.equal(overlaps(b, a), expected);
        });
    }
});

describe("freeSubnet", () => {
    it("never overlaps a used one", () => {
        fc.assert(
            fc.property(name, fc.array(subnet, { maxLength: 200 }), (cluster, taken) => {
                const picked = freeSubnet(cluster, taken);
                assert.match(picked, /^10\.117\.\d+\.0\/24$/);
                assert.ok(!taken.some((other) => overlaps(other, picked)));
            }),
        );
    });

    it("is the same for the same cluster", () => {
        assert.equal(freeSubnet("one", []), freeSubnet("one", []));
    });

    it("fails if none is left", () => {
        assert.throws(
            () => freeSubnet("one", ["10.0.0.0/8"]),
            /no subnet of 10.117.0.0\/16 is free: destroy an unused cluster$/,
        );
    });
});
