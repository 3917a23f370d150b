import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { stepNames } from "../../../../../agents/boot/bootstrap/plan";
import { AgentProcess } from "./agent-process";
import { Scene } from "./scene";

interface Crash {
    readonly isPowerCut: boolean;
    /** Milliseconds after the step's start. @default - once it waits for anything, or has finished */
    readonly delay?: number;
}

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
            await Promise.all([
                crashAndResume(step, { isPowerCut: false }),
                crashAndResume(step, { isPowerCut: true }),
            ]);
        });
    }

    it("resumes from any moment of its stops and pivots", async () => {
        // The longest steps on a real machine: a killed run leaves them half done.
        const crashes = [20, 60, 100, 140].map((delay) =>
            crashAndResume("stop-temporary-apiserver", { isPowerCut: delay > 80, delay }),
        );
        await Promise.all(crashes);
    });

    async function crashAndResume(step: string, { isPowerCut, delay }: Crash): Promise<void> {
        const scene = await Scene.create();
        scenes.push(scene);
        const agent = new AgentProcess(scene.planPath, delay === undefined ? step : undefined);
        const exit = await (delay === undefined ? agent.exit : killedLater(agent, scene.stages, step, delay));
        assert.equal(exit, "SIGKILL", agent.output);
        if (isPowerCut) {
            scene.machine.powerCut();
        }
        // Without the checkpointer nothing restores the API after a power cut that follows the pivot.
        const isDark = isPowerCut && existsSync(scene.stamp);
        scene.machine.boot();
        await assertPivots(scene, isDark);
    }

    async function killedLater(agent: AgentProcess, stages: string, step: string, delay: number) {
        await agent.until(stages, step, "start");
        await sleep(delay);
        return agent.end();
    }

    async function assertPivots({ plan, planPath, machine, stamp }: Scene, isDark: boolean): Promise<void> {
        const agent = new AgentProcess(planPath);
        assert.equal(await agent.exit, 0, agent.output);
        const { assets, secrets, staticPods } = plan.directories;
        assert.ok(existsSync(stamp));
        assert.deepEqual(readdirSync(staticPods), []);
        assert.deepEqual(readdirSync(assets), ["bootstrap.json"]);
        assert.equal(existsSync(secrets), false);
        assert.ok(machine.api.objects.has("/api/v1/namespaces/kube-system/configmaps/tradewind-bootstrap"));
        await machine.waitUntilRunning(isDark ? [] : plan.selfHosted.map(({ name }) => `self-hosted/${name}`));
    }
});
