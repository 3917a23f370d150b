import assert from "node:assert/strict";
import { architectureOf } from "../../../../../components/aws/machines/instance-types";
import { architectureProblem } from "../../../../../components/aws/machines/keep-architecture";

const first = { node: "c-controller-0", option: "controllers" };

describe("the architecture of an instance type", () => {
    const arm = ["a1.large", "t4g.small", "m7g.large", "m6gd.large", "c7gn.16xlarge", "im4gn.large", "is4gen.medium"];
    const more = ["g5g.xlarge", "x2gd.metal", "r8gb.large", "i8ge.large", "hpc7g.4xlarge", "p6e-gb200.36xlarge"];
    const intelOrAmd = ["t3.medium", "t3a.small", "m7i-flex.large", "g4dn.xlarge", "g6e.xlarge", "gr6.4xlarge"];
    const others = ["p4de.24xlarge", "r7iz.large", "trn1n.32xlarge", "u-6tb1.metal", "x2iezn.2xlarge", "d3en.xlarge"];

    for (const type of [...arm, ...more]) it(`is arm64: ${type}`, () => assert.equal(architectureOf(type), "arm64"));
    for (const type of [...intelOrAmd, ...others]) {
        it(`is amd64: ${type}`, () => assert.equal(architectureOf(type), "amd64"));
    }
});

describe("another instance type of a controller", () => {
    it("is refused if its architecture is another one", () => {
        assert.equal(
            architectureProblem(first, "t4g.small", "t3.small"),
            "controllers.instanceType must remain amd64 like c-controller-0 (got t4g.small): to change it, list one machine at a time in recreate",
        );
        assert.match(architectureProblem(first, "t3.small", "t4g.small")!, /must remain arm64 /);
    });

    it("is accepted if it is the same", () => {
        assert.equal(architectureProblem(first, "m7i.large", "t3.small"), undefined);
    });
});
