import assert from "node:assert/strict";
import { planProblems } from "../../../../../agents/harness/plan";
import { type NodePools, parseControllers, parsePools, poolsSchema } from "../../../../../agents/nodes/approver/plan";
import { pools } from "./asked";

describe("the pools that node-approver reads", () => {
    it("are accepted as the stack writes them", () => {
        assert.deepEqual(parsePools(JSON.stringify(pools)), pools);
    });

    const refused: Record<string, readonly [unknown, RegExp]> = {
        "if there are none": [{ pools: {} }, /^pools must be an object with at least one pool \(got \{\}\)$/],
        "if they are null": [null, /^pools must be an object/],
        "with invalid names": [{ pools: { a: { nodes: [""] } } }, /^pools\.a must be node names or a group/],
        "with an invalid group": [{ ...pools, pools: { g: { group: "" } } }, /^pools\.g must be/],
        "with a group but no EC2 endpoint": [{ pools: { g: { group: "c-g" } } }, /^instances must be set/],
        ...Object.fromEntries(
            ["i-.*", "^i-.*", "^($"].map((namePattern) => [
                `with the pattern ${namePattern}, which does not match whole names`,
                [
                    { ...pools, instances: { ...pools.instances, namePattern } },
                    /^instances\.namePattern must be a regular expression from \^ to \$/,
                ] as const,
            ]),
        ),
    };
    for (const [what, [given, problem]] of Object.entries(refused)) {
        it(`are rejected ${what}`, () => {
            assert.match(planProblems(given as NodePools, poolsSchema)[0] ?? "none", problem);
            assert.throws(() => parsePools(JSON.stringify(given)));
        });
    }

    it("are rejected if their ConfigMap has none", () => assert.throws(() => parsePools(undefined), /pools\.json/));
});

describe("the controllers that node-approver reads", () => {
    it("are a list of names and nothing else", () => {
        assert.deepEqual(parseControllers('["c-controller-0"]'), ["c-controller-0"]);
        for (const text of [undefined, "{}", '[""]', "[1]"]) assert.throws(() => parseControllers(text));
    });
});
