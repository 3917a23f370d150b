import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { recoverySteps } from "../../../../../agents/boot/bootstrap/steps";
import { AgentProcess } from "./agent-process";
import { lostCluster } from "./lost-cluster";

describe("a recovery that is killed in each of its steps, one after another", function () {
    this.timeout(60_000);

    it("resumes, also after power cuts, and restores the cluster's own control plane", async () => {
        const scene = await lostCluster({ id: "1", from: "snapshot", isHeld: false, nodes: ["controller-1"] });
        const { plan, planPath, machine, stamp } = scene;
        try {
            for (const [index, { name }] of recoverySteps.entries()) {
                const agent = new AgentProcess(planPath, name);
                assert.equal(await agent.exit, "SIGKILL", `${name}: ${agent.output}`);
                if (index % 2 === 0 && !existsSync(stamp)) {
                    machine.powerCut();
                    machine.boot();
                }
            }
            const last = new AgentProcess(planPath);
            assert.equal(await last.exit, 0, last.output);
            assert.ok(existsSync(stamp));
            assert.deepEqual(readdirSync(plan.directories.staticPods), []);
            assert.deepEqual(readdirSync(plan.directories.assets), ["bootstrap.json"]);
            await machine.waitUntilRunning(plan.selfHosted.map(({ name }) => `self-hosted/${name}`));
        } finally {
            scene.end();
        }
    });
});
