import assert from "node:assert/strict";
import { withMinor } from "../../../../dev/reference/value-table";

describe("the table of closed lists", () => {
    const gates = [
        { minors: ["1.35"], names: ["Goes"] },
        { minors: ["1.35", "1.36"], names: ["Stays"] },
    ];

    it("takes the names of another minor version", () => {
        assert.deepEqual(withMinor({ gates }, "1.37", { gates: ["Stays", "Comes"] }), {
            gates: [
                { minors: ["1.35"], names: ["Goes"] },
                { minors: ["1.35", "1.36", "1.37"], names: ["Stays"] },
                { minors: ["1.37"], names: ["Comes"] },
            ],
        });
    });

    it("replaces the names of a version that it has", () => {
        assert.deepEqual(withMinor({ gates }, "1.36", { gates: ["Goes"] }), {
            gates: [
                { minors: ["1.35"], names: ["Stays"] },
                { minors: ["1.35", "1.36"], names: ["Goes"] },
            ],
        });
    });

    it("is unchanged by the same names", () => {
        assert.deepEqual(withMinor({ gates }, "1.35", { gates: ["Stays", "Goes"] }), { gates });
    });
});
