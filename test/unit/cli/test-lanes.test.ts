import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { lanesOf, mochaArgs } from "../../../cli/test-lanes";
import { TIERS } from "../../../cli/test-setup";

const root = resolve(__dirname, "../../..");

describe("the lanes of a tier", () => {
    for (const tier of TIERS) {
        it(`have every test of ${tier}, each in one of them`, () => {
            const tests = readdirSync(join(root, "test", tier), { recursive: true })
                .map((path) => `test/${tier}/${path}`)
                .filter((path) => path.endsWith(".test.ts"));
            assert.ok(tests.length > 0);
            const paths = lanesOf(tier).flatMap((lane) => lane.paths);
            for (const test of tests) {
                assert.equal(paths.filter((path) => `${test}/`.startsWith(`test/${path}/`)).length, 1, test);
            }
        });
    }

    it("load the tier's hooks, and run files at a time only where none shares a cluster", () => {
        const [unit] = lanesOf("unit").map((lane) => mochaArgs(root, "unit", lane));
        assert.ok(unit.includes("--parallel") && !unit.some((arg) => arg.includes("hooks")));
        for (const lane of lanesOf("cluster")) {
            const args = mochaArgs(root, "cluster", lane);
            assert.ok(args.includes("./test/cluster/hooks.ts") && !args.includes("--parallel"));
        }
    });
});
