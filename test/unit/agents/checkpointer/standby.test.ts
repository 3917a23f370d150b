import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Draft } from "../../../../agents/checkpointer/draft";
import { standby } from "../../../../agents/checkpointer/standby";
import { takeLock } from "../../../../agents/harness/lock";
import { checkpointerPlan } from "../../../../cluster/manifests/control-plane/checkpointer";
import { fixedCluster } from "../../components/in-cluster/fixture";
import { scratch } from "./example";

const base = checkpointerPlan(fixedCluster());
const state = scratch();
const plan = { ...base, directories: { ...base.directories, state } };

/** The standby command of an agent that prints a line and keeps running. */
function command(): string[] {
    const container = {
        name: "checkpointer",
        command: ["/bin/sh", "-c", 'echo "works $0"; exec sleep 60'],
        readinessProbe: {},
        livenessProbe: {},
    };
    const draft = { manifest: () => ({ spec: { containers: [container] } }) } as unknown as Draft;
    const { spec } = standby(draft, plan).manifest("") as { spec: { containers: (typeof container)[] } };
    assert.deepEqual(Object.keys(spec.containers[0]!).sort(), ["command", "name"]);
    return spec.containers[0]!.command;
}

describe("the checkpointer's own copy", function () {
    this.timeout(20_000);
    let child: ChildProcess;
    let output = "";

    function start(): void {
        const [program, ...args] = command();
        child = spawn(program!, args, { stdio: ["ignore", "pipe", "inherit"], detached: true });
        child.stdout!.on("data", (text) => (output += text));
    }

    async function isWorking(): Promise<void> {
        while (!output.includes("works --standby")) await sleep(20);
    }

    beforeEach(() => (output = ""));
    afterEach(() => {
        try {
            process.kill(-child.pid!, "SIGKILL");
        } catch {}
    });

    it("works if the DaemonSet's pod is absent", async () => {
        start();
        await isWorking();
    });

    it("sleeps while the DaemonSet's pod is running, and works once it is absent", async () => {
        const parent = await takeLock(`${state}/parent`, () => {});
        start();
        await sleep(300);
        assert.equal(output, "");
        await parent.release();
        await isWorking();
    });

    it("exits at once on SIGTERM", async () => {
        start();
        await isWorking();
        const end = once(child, "exit");
        child.kill("SIGTERM");
        assert.deepEqual(await end, [0, null]);
    });
});
