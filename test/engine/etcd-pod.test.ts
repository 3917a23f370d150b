import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { memberProcess } from "../../agents/etcd/member/process";
import type { Runner } from "../../agents/etcd/member/runner";
import { paths } from "../../cluster/paths";
import { runAgent as joinAgent } from "./etcd-join/agent";
import type { ApiPod } from "./etcd-join/api-pod";
import { EtcdCluster } from "./etcd-join/cluster";
import type { Controller } from "./etcd-join/controller";
import { runAgent } from "./etcd-update/agent";
import { until } from "./until";

const level = { selfHosted: { etcd: true } };
const debug = { ...level, components: { etcd: { "heartbeat-interval": "120" } } };

describe("an etcd member that an API pod runs", function () {
    this.timeout(240_000);
    let cluster: EtcdCluster;
    let first: Controller;
    let pods: ApiPod[] = [];

    const create = async (count: 1 | 3, options: object = level) => {
        cluster = new EtcdCluster(count, options);
        first = cluster.first;
        pods = [];
        await cluster.start();
        await cluster.put("before", "kept");
        for (const further of cluster.controllers.slice(1)) {
            assert.equal((await joinAgent(cluster.plan(further))).exit, 0);
        }
    };
    const startPod = (controller: Controller, options: object = level) => {
        const pod = cluster.startPod(controller, options);
        pods.push(pod);
        return pod;
    };
    const processOf = (controller: Controller) => memberProcess(controller.path(paths.etcdMemberData));
    const serves = (controller: Controller) =>
        controller.client.status(`https://${controller.machine.address}:2379`).then(
            ({ leader = "0" }) => leader !== "0",
            () => false,
        );
    /** Waits until this one runs the member, and it serves. */
    const runs = (controller: Controller, runner: Runner) =>
        until(`${controller.machine.name} to be run as ${runner}`, async () => {
            return processOf(controller)?.runner === runner && (await serves(controller));
        });
    const update = async (controller: Controller, options: object) => {
        const { exit, output } = await runAgent(cluster.updatePlan(controller, options));
        assert.equal(exit, 0, output);
        return output;
    };
    /** The longest time without any response, in milliseconds. */
    const longestGap = async (act: () => Promise<unknown>) => {
        let [isOver, longest, last] = [false, 0, performance.now()];
        const asking = (async () => {
            while (!isOver) {
                const answers = cluster.controllers.map((each) => each.ask("kv/put", { key: "YQ==", value: "Yg==" }));
                await Promise.any(answers).then(
                    () => {
                        longest = Math.max(longest, performance.now() - last);
                        last = performance.now();
                    },
                    () => {},
                );
                await sleep(10);
            }
        })();
        await act().finally(() => {
            isOver = true;
        });
        await asking;
        return longest;
    };

    afterEach(async () => {
        for (const pod of pods) pod.kill();
        await cluster.remove();
    });

    describe("the only one", () => {
        it("is handed over, and back when the pod's etcd exits, is killed, or the pod is deleted", async () => {
            await create(1);
            await runs(first, "standby");
            const told: string[] = [];
            const timed = async (what: string, act: () => Promise<unknown>) => {
                told.push(`${what} ${(await longestGap(act)).toFixed(0)} ms`);
            };
            let pod = startPod(first);
            await timed("taken over", () => runs(first, "pod"));
            for (const signal of ["SIGTERM", "SIGKILL"] as const) {
                await timed(signal, async () => {
                    process.kill(processOf(first)!.pid, signal);
                    await runs(first, "standby");
                });
                await runs(first, "pod");
            }
            await timed("container killed", async () => {
                process.kill(-pod.pid!, "SIGKILL");
                await runs(first, "standby");
            });
            await runs(first, "pod");
            await timed("deleted", () => pod.delete().then(() => runs(first, "standby")));
            pod = startPod(first);
            await runs(first, "pod");
            console.log(`      longest outages: ${told.join(", ")}`);
            assert.equal(await cluster.ownValue(first, "before"), "kept");
        });

        it("is run by the machine after a power cut, until the pod runs again", async () => {
            await create(1);
            startPod(first);
            await runs(first, "pod");
            for (const pod of pods) pod.kill();
            await first.kubelet.cutPower();
            first.restart();
            await runs(first, "standby");
            startPod(first);
            await runs(first, "pod");
            assert.equal(await cluster.ownValue(first, "before"), "kept");
        });

        it("ends when its static pod is removed, and is not run until that returns", async () => {
            await create(1);
            startPod(first);
            await runs(first, "pod");
            const manifest = first.path(`${paths.staticPods}/etcd.json`);
            renameSync(manifest, `${manifest}.away`);
            await until("the member to end", async () => processOf(first) === undefined);
            const start = performance.now();
            while (performance.now() - start < 6_000) {
                assert.equal(processOf(first), undefined);
                await sleep(100);
            }
            renameSync(`${manifest}.away`, manifest);
            await runs(first, "pod");
            assert.equal(await cluster.ownValue(first, "before"), "kept");
        });

        it("is left to the machine if that has another image or cannot hand over", async () => {
            await create(1);
            const pod = startPod(first, { ...level, etcdVersion: "3.6.16" });
            await until("the pod to log the reason", async () => /this pod has .*3\.6\.16/.test(pod.log));
            assert.equal(processOf(first)?.runner, "standby");
            await pod.delete();
            await update(first, {});
            const other = startPod(first);
            await until("the pod to log the reason", async () =>
                other.log.includes("does not give way to API-managed pods"),
            );
            assert.equal(processOf(first)?.runner, "plain");
        });

        it("gets another version and flags at that level, and reverts", async () => {
            await create(1, {});
            assert.equal(processOf(first)?.runner, "plain");
            const { uid } = first.staticPod.metadata;
            await update(first, level);
            assert.equal(processOf(first)?.runner, "standby");
            let pod = startPod(first);
            await runs(first, "pod");

            assert.match(await update(first, debug), /hand-back/);
            await runs(first, "pod");
            assert.ok(processOf(first)!.flags.includes("--heartbeat-interval=120"));

            const newer = { ...debug, etcdVersion: "3.6.16" };
            await update(first, newer);
            assert.equal(processOf(first)?.runner, "standby");
            await pod.delete();
            pod = startPod(first, newer);
            await runs(first, "pod");
            assert.equal((await first.client.status(`https://${first.machine.address}:2379`)).version, "3.6.16");

            await update(first, { etcdVersion: "3.6.16" });
            assert.equal(processOf(first)?.runner, "plain");
            assert.equal(first.staticPod.metadata.uid, uid);
            assert.equal(await cluster.ownValue(first, "before"), "kept");
        });

        it("reverts when it does not run with other flags, and returns to the pod", async () => {
            await create(1);
            startPod(first);
            await runs(first, "pod");
            const bad = { ...level, components: { etcd: { "auto-compaction-mode": "sometimes" } } };
            const { exit, output } = await runAgent(cluster.updatePlan(first, bad, { settleSeconds: 1 }));
            assert.match(output, /exits right after it starts; it serves as before/);
            assert.equal(exit, 3);
            await runs(first, "pod");
            assert.equal(await cluster.ownValue(first, "before"), "kept");
        });
    });

    it("is one of three, which are handed over one after another while a majority accepts writes", async () => {
        await create(3);
        const gap = await longestGap(async () => {
            for (const controller of cluster.controllers) startPod(controller);
            const isPods = (controller: Controller) => processOf(controller)?.runner === "pod";
            await until("all members to be run by pods", async () => {
                const away = await Promise.all(cluster.controllers.map(async (each) => !(await serves(each))));
                assert.ok(away.filter(Boolean).length <= 1, "more than one member is away");
                return cluster.controllers.every(isPods);
            });
            await Promise.all(cluster.controllers.map((each) => runs(each, "pod")));
        });
        console.log(`      longest gap ${gap.toFixed(0)} ms`);
        for (const controller of cluster.controllers) {
            assert.equal(await cluster.ownValue(controller, "before"), "kept");
        }
    });
});
