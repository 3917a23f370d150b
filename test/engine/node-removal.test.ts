import assert from "node:assert/strict";
import { stepNames } from "../../agents/nodes/removal/plan";
import { leavingAnnotation } from "../../clients/kubernetes/nodes";
import { at } from "../../simulator/plugins/kubernetes/object";
import { runAgent, runUntilCrash } from "./node-removal/agent";
import { Scene } from "./node-removal/scene";
import { until } from "./until";

const controllers = (...indexes: number[]) => indexes.map((index) => `c-controller-${index}`);

describe("node-removal", function () {
    this.timeout(180_000);
    let scene: Scene;

    const succeeds = async (plan: string) => {
        const { exit, output } = await runAgent(plan);
        assert.equal(exit, 0, output);
        return output;
    };
    const fails = async (plan: string, message: RegExp) => {
        const { exit, output } = await runAgent(plan);
        assert.match(output, message);
        assert.equal(exit, 1);
    };
    const isReady = (name: string) =>
        until(`pod ${name} to be Ready`, async () =>
            (await scene.nodes.pods()).some(
                (pod) => pod.metadata?.name === name && at(pod, "status", "phase") === "Running",
            ),
        );
    const cordoned = async () =>
        (await scene.nodes.nodes())
            .filter((node) => at(node, "spec", "unschedulable"))
            .map(({ metadata }) => metadata!.name!);

    describe("of a cluster of five controllers", () => {
        before(async () => {
            scene = await Scene.start(5, ["c-worker-0", "c-worker-1", "other-node"]);
        });
        after(() => scene?.stop());

        it("stops nothing while the remaining members would have no quorum, and reports which are missing", async () => {
            for (const controller of scene.controllers.slice(1, 3)) await controller.kubelet.cutPower();
            const plan = scene.plan(3, 2, { timeouts: { "find-nodes": 2 } });
            await fails(
                plan,
                /removing c-controller-4 .* would leave 2 of 4 voters healthy, but 3 are needed: .*ECONNREFUSED/,
            );
            assert.deepEqual(await cordoned(), []);
            for (const controller of scene.controllers.slice(1, 3)) controller.restart();
        });

        it("reduces five controllers to three and then to one, in order, moving the leader first", async () => {
            const { nodes, etcd } = scene;
            await nodes.runPod("web", "c-controller-4");
            await isReady("web");
            await etcd.put("before", "kept");
            const last = (await etcd.first.members()).find(({ name }) => name === "c-controller-4")!;
            const first = await etcd.first.ask("maintenance/status", {});
            if (first.leader === (first.header as { member_id: string }).member_id) {
                await etcd.first.client.moveLeader(`https://${etcd.first.machine.address}:2379`, last.ID);
            }

            const output = await succeeds(scene.plan(3, 2));
            assert.match(output, /move-leader: moved to c-controller-[012] /);
            assert.match(output, /remove-members: removed c-controller-4 .*, c-controller-3 /);
            assert.deepEqual(await etcd.roll(), controllers(0, 1, 2));
            assert.deepEqual(await nodes.names(), [...controllers(0, 1, 2), "c-worker-0", "c-worker-1", "other-node"]);
            const happened = (event: string) => {
                assert.ok(nodes.events.includes(event), `${event}: ${nodes.events.join(", ")}`);
                return nodes.events.indexOf(event);
            };
            for (const name of controllers(3, 4)) {
                assert.ok(happened(`cordoned ${name}`) < happened("ended default/web"));
                assert.ok(happened("ended default/web") < happened(`ended kube-system/apiserver on ${name}`));
                assert.ok(happened(`forgot ${name}`) < happened(`ended kube-system/apiserver on ${name}`));
                await until(`${name} to be removed`, () => nodes.events.includes(`gone ${name}`));
                assert.ok(happened(`ended kube-system/apiserver on ${name}`) < happened(`gone ${name}`));
            }

            await succeeds(scene.plan(1, 1));
            assert.deepEqual(await etcd.roll(), controllers(0));
            assert.deepEqual(await nodes.names(), ["c-controller-0", "c-worker-0", "other-node"]);
            assert.equal(await etcd.ownValue(etcd.first, "before"), "kept");
            assert.match(await succeeds(scene.plan(1, 1)), /nothing to remove/);
        });
    });

    describe("of a cluster of three controllers", () => {
        before(async () => {
            scene = await Scene.start(3, ["c-worker-0"]);
        });
        after(() => scene?.stop());

        it("respects disruption budgets, reports what they block, and returns a node that is kept after all", async () => {
            const labels = { app: "web" };
            await scene.api.cluster.create(
                {
                    apiVersion: "policy/v1",
                    kind: "PodDisruptionBudget",
                    metadata: { name: "web", namespace: "default" },
                    spec: { minAvailable: 1, selector: { matchLabels: labels } },
                },
                { fieldManager: "test" },
            );
            await scene.nodes.runPod("web", "c-worker-0", labels);
            await isReady("web");
            const message =
                /drain: failed: waited \d+ s for .*default\/web stays: .*disruption budget web needs 1 healthy pods and has 1/;
            await fails(scene.plan(3, 0, { timeouts: { drain: 2 } }), message);
            assert.deepEqual(await cordoned(), ["c-worker-0"]);
            await succeeds(scene.plan(3, 1));
            assert.deepEqual(await cordoned(), []);
            const [worker] = (await scene.nodes.nodes()).filter(({ metadata }) => metadata?.name === "c-worker-0");
            assert.equal(worker!.metadata?.annotations?.[leavingAnnotation], undefined);
            await fails(scene.plan(3, 0, { timeouts: { drain: 2 } }), message);
            await scene.nodes.runPod("web-too", "c-controller-0", labels);
            await succeeds(scene.plan(3, 0));
            assert.deepEqual(await scene.nodes.names(), controllers(0, 1, 2));
        });

        it("removes no controller that still has checkpoints, and reports which", async () => {
            const { nodes, etcd } = scene;
            nodes.withoutCheckpointer.add("c-controller-1");
            await fails(
                scene.plan(1, 0, { timeouts: { "forget-checkpoints": 2 } }),
                /forget-checkpoints: failed: waited \d+ s for .*: c-controller-1 has checkpoints of kube-system\/kube-apiserver \(/,
            );
            assert.ok(nodes.events.includes("forgot c-controller-2"));
            assert.ok(!nodes.events.some((event) => event.startsWith("ended kube-system/apiserver")));
            assert.deepEqual(await etcd.roll(), controllers(0, 1, 2));
        });

        it("removes a lost machine, waiting neither for its pods nor its checkpoints, and resumes after SIGKILL at any step", async () => {
            const [, second] = scene.controllers;
            await scene.nodes.runPod("lost", "c-controller-1");
            await isReady("lost");
            await second!.kubelet.cutPower();
            await scene.nodes.lose("c-controller-1");
            for (const step of stepNames) {
                for (const event of ["start", "done"]) {
                    const { exit, output } = await runUntilCrash(scene.plan(1, 0), `${step}:${event}`);
                    assert.equal(exit, "SIGKILL", `${step}:${event}: ${output}`);
                }
            }
            await succeeds(scene.plan(1, 0));
            assert.deepEqual(await scene.etcd.roll(), controllers(0));
            assert.deepEqual(await scene.nodes.names(), controllers(0));
        });
    });
});
