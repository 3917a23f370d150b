import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { mochaArgs, wavesOf } from "../../../../dev/test/lanes";
import { TIERS } from "../../../../dev/test/setup";

const root = resolve(__dirname, "../../../..");

describe("the lanes of the tests", () => {
    for (const tier of TIERS) {
        it(`contain every test of ${tier} exactly once`, () => {
            const tests = readdirSync(join(root, "test", tier), { recursive: true })
                .map((path) => `test/${tier}/${path}`)
                .filter((path) => path.endsWith(".test.ts"));
            assert.ok(tests.length > 0);
            const paths = wavesOf([tier])
                .flat()
                .flatMap((lane) => lane.paths);
            for (const test of tests) {
                assert.equal(paths.filter((path) => `${test}/`.startsWith(`test/${path}/`)).length, 1, test);
            }
        });
    }

    it("load the tier's hooks, and run files in parallel only if they do not share a cluster", () => {
        for (const lane of wavesOf(TIERS).flat()) {
            const args = mochaArgs(root, lane);
            const isCluster = lane.tier === "cluster";
            assert.equal(args.includes("./test/cluster/hooks.ts"), isCluster);
            assert.equal(args.includes("--parallel"), lane.jobs > 1);
            assert.ok(!isCluster || lane.jobs === 1);
        }
    });

    it("start with existing files of their own", () => {
        for (const lane of wavesOf(TIERS).flat()) {
            for (const file of lane.first ?? []) {
                assert.ok(existsSync(join(root, "test", file)), file);
                assert.ok(lane.paths.includes(dirname(file)), file);
            }
        }
        const engine = wavesOf(["engine"]).flat()[0]!;
        const paths = mochaArgs(root, engine).filter((arg) => arg.startsWith("test/"));
        const files = readdirSync(join(root, "test/engine"), { recursive: true }).map((file) => `test/engine/${file}`);
        assert.deepEqual(
            paths.slice(0, engine.first!.length),
            engine.first!.map((file) => `test/${file}`),
        );
        assert.deepEqual([...paths].sort(), files.filter((file) => file.endsWith(".test.ts")).sort());
    });

    it("start with those that create no cluster", () => {
        const names = wavesOf(TIERS).map((wave) => wave.map(({ name }) => name));
        assert.deepEqual(names, [
            ["unit", "engine"],
            ["shared", "others"],
        ]);
        assert.deepEqual(
            wavesOf(["unit"]).map((wave) => wave.map(({ name }) => name)),
            [["unit"]],
        );
    });
});
