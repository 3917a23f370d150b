import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { recoverySteps } from "../../../../../agents/boot/bootstrap/steps";
import { memberLabel } from "../../../../../agents/nodes/promoter/plan";
import { AgentProcess } from "./agent-process";
import { lostCluster } from "./lost-cluster";

describe("a recovery that is killed in each of its steps, one after another", function () {
    this.timeout(60_000);

    it("resumes, also after power cuts, and restores the cluster's own control plane", async () => {
        const recovery = {
            id: "1",
            from: "snapshot",
            isHeld: false,
            nodes: ["controller-0", "controller-1"],
            replaces: ["controller-0"],
        };
        const scene = await lostCluster(recovery);
        const { plan, planPath, machine, stamp } = scene;
        const lost = "/api/v1/nodes/controller-0";
        machine.api.objects.set(lost, {
            kind: "Node",
            metadata: { name: "controller-0", labels: plan.controllerLabels },
        });
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
            assert.deepEqual(machine.api.objects.get(lost)!.metadata.labels, { [memberLabel]: "leaving" });
            assert.deepEqual(readdirSync(plan.directories.staticPods), []);
            assert.deepEqual(readdirSync(plan.directories.assets), ["bootstrap.json"]);
            await machine.waitUntilRunning(plan.selfHosted.map(({ name }) => `self-hosted/${name}`));
        } finally {
            scene.end();
        }
    });
});
