import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { stepNames } from "../../../../../agents/boot/bootstrap/plan";
import { AgentProcess } from "./agent-process";
import { Scene } from "./scene";

describe("a killed bootstrap", function () {
    this.timeout(30_000);
    const scenes: Scene[] = [];

    afterEach(() => {
        for (const scene of scenes.splice(0)) {
            scene.end();
        }
    });

    for (const step of stepNames) {
        it(`resumes in ${step} and pivots, also after a power cut`, async () => {
            await Promise.all([crashAndResume(step, false), crashAndResume(step, true)]);
        });
    }

    async function crashAndResume(step: string, isPowerCut: boolean): Promise<void> {
        const scene = await Scene.create();
        scenes.push(scene);
        const agent = new AgentProcess(scene.planPath, step);
        assert.equal(await agent.exit, "SIGKILL", agent.output);
        if (isPowerCut) {
            scene.machine.powerCut();
        }
        // Without the checkpointer nothing restores the API after a power cut that follows the pivot.
        const isDark = isPowerCut && existsSync(scene.stamp);
        scene.machine.boot();
        await assertPivots(scene, isDark);
    }

    async function assertPivots({ plan, planPath, machine, stamp }: Scene, isDark: boolean): Promise<void> {
        const agent = new AgentProcess(planPath);
        assert.equal(await agent.exit, 0, agent.output);
        const { assets, staticPods } = plan.directories;
        assert.ok(existsSync(stamp));
        assert.deepEqual(readdirSync(staticPods), []);
        assert.deepEqual(readdirSync(assets), ["bootstrap.json"]);
        assert.ok(machine.api.objects.has("/api/v1/namespaces/kube-system/configmaps/tradewind-bootstrap"));
        await machine.waitUntilRunning(isDark ? [] : plan.selfHosted.map(({ name }) => `self-hosted/${name}`));
    }
});
