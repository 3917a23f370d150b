import assert from "node:assert/strict";
import { inZone, resolveZones } from "../../../../components/local/zones";

describe("zones of local machines", () => {
    const label = "topology.kubernetes.io/zone";

    it("are three, or the given ones", () => {
        assert.deepEqual(resolveZones(), ["local-a", "local-b", "local-c"]);
        assert.deepEqual(resolveZones([]), []);
        assert.deepEqual(resolveZones(["x"]), ["x"]);
    });

    for (const zone of ["", "a b", "-"]) {
        it(`cannot be ${JSON.stringify(zone)}`, () => {
            const error = /^Error: zones\[0\] must be a Kubernetes label value \(got /;
            assert.throws(() => resolveZones([zone]), error);
        });
    }

    it("are labels by turns, unless a pool has the label", () => {
        const zones = ["x", "y"];
        const own = { labels: { a: "b" } };
        assert.deepEqual(
            [0, 1, 2].map((index) => inZone(own, zones, index).labels),
            [
                { [label]: "x", a: "b" },
                { [label]: "y", a: "b" },
                { [label]: "x", a: "b" },
            ],
        );
        assert.deepEqual(inZone({ labels: { [label]: "z" } }, zones, 1).labels, { [label]: "z" });
        assert.equal(inZone(own, [], 0), own);
    });
});
