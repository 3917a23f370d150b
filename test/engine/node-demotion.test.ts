import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stepNames } from "../../agents/nodes/demotion/plan";
import { paths } from "../../cluster/paths";
import { agentProcess } from "./agent-process";
import { runAgent as joinAgent } from "./etcd-join/agent";
import { EtcdCluster } from "./etcd-join/cluster";
import { Machine } from "./node-promoter/machine";
import { until } from "./until";

const { runAgent, runUntilCrash } = agentProcess("node-demotion", join(__dirname, "node-demotion/crashing-agent.ts"));

describe("node-demotion", function () {
    this.timeout(120_000);
    const etcd = new EtcdCluster(3);
    const machines = etcd.controllers.map((controller) => new Machine(controller, etcd));
    const [first, second] = machines as [Machine, Machine];

    before(async () => {
        await etcd.start();
        await joinAgent(etcd.plan(second.controller));
        const [member] = (await first.controller.members()).filter(({ name }) => name === second.name);
        // etcd refuses changes for some seconds after a new member.
        const remove = () => first.controller.client.remove(member!.ID);
        await until("etcd to remove the member", () =>
            remove().then(
                () => true,
                () => false,
            ),
        );
        second.saveCheckpoint();
    });
    after(() => etcd.remove());

    it("leaves a machine as it is whose member still serves, whatever label its Node has", async () => {
        const before = first.remains();
        const { exit, output } = await runAgent(first.demotionPlan({ timeouts: { "stop-member": 2 } }));
        assert.notEqual(exit, 0, output);
        assert.match(output, /the cluster to remove this machine's member; last seen: it is ready/);
        assert.deepEqual(first.remains(), before);
        assert.ok((await first.controller.members()).length > 0);
    });

    it("stops the removed member and removes what made its machine a controller, killed at any step", async () => {
        assert.ok(second.remains().length >= 5, second.remains().join());
        for (const step of stepNames) {
            for (const event of step === "stop-member" ? ["start", "done"] : ["done"]) {
                const { exit, output } = await runUntilCrash(second.demotionPlan(), `${step}:${event}`);
                assert.equal(exit, "SIGKILL", `${step}:${event}: ${output}`);
            }
        }
        const { exit, output } = await runAgent(second.demotionPlan());
        assert.equal(exit, 0, output);
        assert.deepEqual(second.remains(), []);
        await until("its process to end", () => second.controller.kubelet.pid === undefined);
    });

    it("removes a copy that an ending checkpointer installs again", async () => {
        const copy = second.controller.path(`${paths.staticPods}/checkpoint-kube-system.checkpointer.json`);
        const ended = runAgent(second.demotionPlan());
        let count = 0;
        const timer = setInterval(() => {
            if (count < 2 && !existsSync(copy)) writeFileSync(copy, `{"count":${count++}}`);
        }, 1_000);
        assert.equal((await ended).exit, 0);
        clearInterval(timer);
        assert.equal(count, 2);
        assert.deepEqual(second.remains(), []);
    });

    it("lets the machine join again", async () => {
        const { exit, output } = await joinAgent(etcd.plan(second.controller));
        assert.equal(exit, 0, output);
        assert.deepEqual(await etcd.roll(), ["c-controller-0", "c-controller-1"]);
    });
});
