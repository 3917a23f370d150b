import assert from "node:assert/strict";
import { isNitro } from "../../../../../components/aws/machines/instance-types";

describe("the Nitro system", () => {
    const nitro = [
        "t3.medium",
        "t4g.small",
        "m5.large",
        "c5n.large",
        "r5b.xlarge",
        "i3.metal",
        "i3en.large",
        "i4i.large",
    ];
    const more = ["d3.xlarge", "p3dn.24xlarge", "g4dn.xlarge", "g5.xlarge", "x2idn.metal", "a1.large", "m8g.large"];
    const xen = ["t1.micro", "t2.small", "m1.small", "m3.large", "m4.large", "c1.medium", "c3.large", "c4.large"];
    const others = [
        "r3.large",
        "r4.large",
        "i2.xlarge",
        "i3.large",
        "d2.xlarge",
        "h1.2xlarge",
        "g3s.xlarge",
        "f1.2xlarge",
    ];

    for (const type of [...nitro, ...more]) it(`has ${type}`, () => assert.equal(isNitro(type), true));
    for (const type of [...xen, ...others, "p2.xlarge", "p3.2xlarge", "x1.16xlarge", "x1e.xlarge"]) {
        it(`has no ${type}`, () => assert.equal(isNitro(type), false));
    }
});
