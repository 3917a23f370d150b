import assert from "node:assert/strict";
import {
    type NodePools,
    parseControllers,
    parsePools,
    planProblems,
    poolsProblems,
} from "../../../../../agents/nodes/approver/plan";
import { plan, pools } from "./asked";

describe("the plan of node-approver", () => {
    it("is taken as the stack writes it", () => assert.deepEqual(planProblems(plan), []));

    it("is refused with all that is wrong with it", () => {
        assert.deepEqual(planProblems({ ...plan, apiServer: "x", poolLabel: "" }), [
            'apiServer must be an https:// URL without a path, got "x"',
            'poolLabel must be a text, got ""',
        ]);
    });
});

describe("the pools that node-approver reads", () => {
    it("are taken as the stack writes them", () => {
        assert.deepEqual(poolsProblems(pools), []);
        assert.deepEqual(parsePools(JSON.stringify(pools)), pools);
    });

    const refused: Record<string, readonly [unknown, RegExp]> = {
        "when there are none": [{ pools: {} }, /^pools must be an object of one pool or more, got \{\}$/],
        "when they are nothing": [null, /^pools must be an object/],
        "with names that are none": [{ pools: { a: { nodes: [""] } } }, /^pools\.a must be nodes' names or a group/],
        "with a group that is none": [{ ...pools, pools: { g: { group: "" } } }, /^pools\.g must be/],
        "with a group that EC2 can't be asked about": [{ pools: { g: { group: "c-g" } } }, /^instances must be given/],
        ...Object.fromEntries(
            ["i-.*", "^i-.*", "^($"].map((namePattern) => [
                `with the pattern ${namePattern}, which is none of whole names`,
                [
                    { ...pools, instances: { ...pools.instances, namePattern } },
                    /^instances\.namePattern must be a regular expression of whole names/,
                ] as const,
            ]),
        ),
    };
    for (const [what, [given, problem]] of Object.entries(refused)) {
        it(`are refused ${what}`, () => {
            assert.match(poolsProblems(given as NodePools)[0] ?? "none", problem);
            assert.throws(() => parsePools(JSON.stringify(given)));
        });
    }

    it("are refused when their ConfigMap has none", () => assert.throws(() => parsePools(undefined), /pools\.json/));
});

describe("the controllers that node-approver reads", () => {
    it("are a list of names and nothing else", () => {
        assert.deepEqual(parseControllers('["c-controller-0"]'), ["c-controller-0"]);
        for (const text of [undefined, "{}", '[""]', "[1]"]) assert.throws(() => parseControllers(text));
    });
});
