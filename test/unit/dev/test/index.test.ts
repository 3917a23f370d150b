import assert from "node:assert/strict";
import { addUp, parseTiers, parseWaves, renderTotal, requireTests } from "../../../../dev/test";

describe("npm test", () => {
    it("runs every tier, or the given ones, in order", () => {
        assert.deepEqual(parseTiers([]), ["unit", "engine", "cluster"]);
        assert.deepEqual(parseTiers(["cluster", "unit"]), ["unit", "cluster"]);
        assert.throws(() => parseTiers(["e2e"]), { message: "tier must be unit, engine, cluster (got e2e)" });
    });

    it("runs the given files alone, in their order, and rejects a mix of files and tiers", () => {
        const files = ["test/engine/site.test.ts", "test/engine/aliases.test.ts", "test/unit/dependencies.test.ts"];
        assert.deepEqual(
            parseWaves(files).map((wave) => wave.map(({ tier, paths }) => [tier, paths])),
            [
                [
                    ["unit", ["unit/dependencies.test.ts"]],
                    ["engine", ["engine/site.test.ts", "engine/aliases.test.ts"]],
                ],
            ],
        );
        assert.throws(
            () => parseWaves(["test/unit/none.test.ts"]),
            /file must be a test file: .* \(got test\/unit\/none/,
        );
        assert.throws(() => parseWaves(["unit", files[0]!]), /tier must be .* \(got test\/engine\/site\.test\.ts\)/);
    });

    it("ends with a line that only contains counts", () => {
        const total = addUp([
            { passed: 2, skipped: 1, failed: [] },
            { passed: 3, skipped: 0, failed: ["a pod is Ready"] },
        ]);
        assert.equal(renderTotal(total), "failed: a pod is Ready\n1 skipped\n5 passed, 1 failed");
    });

    it("fails if a tier ran no tests", () => {
        assert.deepEqual(requireTests("engine", { passed: 0, skipped: 4, failed: [] }).failed, ["engine: no test ran"]);
        assert.deepEqual(requireTests("engine", { passed: 1, skipped: 0, failed: [] }).failed, []);
        assert.deepEqual(requireTests("engine", { passed: 0, skipped: 0, failed: ["a"] }).failed, ["a"]);
    });
});
