import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentProcess, readStages } from "./agent-process";
import { certificates } from "./certificates";
import { Scene } from "./scene";

describe("the agent's process", function () {
    this.timeout(20_000);
    let scene: Scene;

    beforeEach(async () => {
        scene = await Scene.create();
    });

    afterEach(() => scene.end());

    it("waits for another running agent, and succeeds once that has finished", async () => {
        const agents = [new AgentProcess(scene.planPath), new AgentProcess(scene.planPath)];
        assert.deepEqual(await Promise.all(agents.map(({ exit }) => exit)), [0, 0]);
        const waited = agents.filter(({ output }) => output.includes("another bootstrap agent is running here"));
        assert.equal(waited.length, 1);
        const starts = readStages(scene.stages).filter(
            ({ event, step }) => event === "start" && step === "apply-manifests",
        );
        assert.equal(starts.length, 1);
    });

    it("exits at once on SIGTERM, as the first process of a container", async () => {
        scene.machine.podStatus = () => ({ phase: "Pending" });
        const agent = new AgentProcess(scene.planPath);
        await agent.until(scene.stages, "wait-for-self-hosted", "start");
        assert.equal(await agent.end("SIGTERM"), 143);
        assert.match(agent.output, /ended by SIGTERM; the next start resumes here/);
    });

    it("reports a failed step in one line and exits with 1", async () => {
        const { key, cert } = certificates().stranger;
        writeFileSync(join(scene.plan.directories.assets, scene.plan.credentials.cert), cert);
        writeFileSync(join(scene.plan.directories.assets, scene.plan.credentials.key), key);
        const agent = new AgentProcess(scene.planPath);
        assert.equal(await agent.exit, 1);
        assert.equal(agent.output.trimEnd().split("\n").at(-1), "wait-for-api: 401: Unauthorized");
    });

    it("reports an invalid plan in one line and exits with 1", async () => {
        writeFileSync(scene.planPath, JSON.stringify({ ...scene.plan, nodeName: 7 }));
        const agent = new AgentProcess(scene.planPath);
        assert.equal(await agent.exit, 1);
        assert.equal(agent.output, `${scene.planPath}: nodeName must be a name (got 7)\n`);
    });
});
