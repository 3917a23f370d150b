import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { phases } from "../../../../cli/phase/phases";

const agents = join(__dirname, "../../../../agents");

describe("the phases of a cluster", () => {
    it("include every process of agents whose steps are named", () => {
        const sources = ["etcd/join", "etcd/update", "etcd/keeper/restore", "nodes/demotion", "nodes/removal"];
        const found = (readdirSync(agents, { recursive: true }) as string[])
            .filter((path) => path.endsWith("plan.ts"))
            .filter((path) => readFileSync(join(agents, path), "utf8").includes("export const stepNames"));
        // The bootstrap's list is of all its steps, those of a recovery included.
        const expected = ["boot/bootstrap", ...sources].map((each) => `${each}/plan.ts`);
        assert.deepEqual(found.sort(), expected.sort());
        for (const source of sources) {
            const { stepNames } = require(join(agents, source, "plan")) as { stepNames: readonly string[] };
            assert.ok(
                phases.some(({ steps }) => steps.join() === stepNames.join()),
                source,
            );
        }
    });

    it("have the steps of the bootstrap in order, and more of them in a recovery", () => {
        const stepsOf = (name: string) => phases.find((each) => each.name === name)!.steps;
        const bootstrap = stepsOf("bootstrap");
        assert.equal(bootstrap[0], "verify-assets");
        assert.equal(bootstrap.at(-1), "clean-up");
        const recovery = stepsOf("recovery");
        assert.deepEqual(
            recovery.filter((step) => bootstrap.includes(step)),
            bootstrap,
        );
        assert.ok(recovery.includes("readmit-members"));
    });
});
