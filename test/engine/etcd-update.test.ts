import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { memberProcess } from "../../agents/etcd/member/process";
import { type EtcdUpdatePlan, stepNames } from "../../agents/etcd/update/plan";
import { paths } from "../../cluster/paths";
import { runAgent as joinAgent } from "./etcd-join/agent";
import { EtcdCluster } from "./etcd-join/cluster";
import type { Controller } from "./etcd-join/controller";
import { openWatch } from "./etcd-join/watch";
import { runAgent, runUntilCrash } from "./etcd-update/agent";
import { until } from "./until";

const debug = { components: { etcd: { "heartbeat-interval": "120" } } };
const newer = { ...debug, etcdVersion: "3.6.16" };
/** etcd accepts the flag, and exits when it reads the value. */
const bad = { components: { etcd: { "auto-compaction-mode": "sometimes" } } };
const impatient = { settleSeconds: 1 };

describe("etcd-update", function () {
    this.timeout(180_000);
    let cluster: EtcdCluster;
    let first: Controller;

    const create = async (count: 1 | 3) => {
        cluster = new EtcdCluster(count);
        first = cluster.first;
        await cluster.start();
        await cluster.put("before", "kept");
        for (const further of cluster.controllers.slice(1)) {
            assert.equal((await joinAgent(cluster.plan(further))).exit, 0);
        }
    };
    const flagsOf = (controller: Controller) =>
        memberProcess(controller.path(paths.etcdMemberData))?.flags.filter((flag) =>
            /heartbeat|compaction-mode/.test(flag),
        );
    const updates = async (controller: Controller, options: object, change?: Partial<EtcdUpdatePlan>) => {
        const { exit, output } = await runAgent(cluster.updatePlan(controller, options, change));
        assert.equal(exit, 0, output);
        return output;
    };
    const givesUp = async (
        controller: Controller,
        message: RegExp,
        options: object,
        change?: Partial<EtcdUpdatePlan>,
    ) => {
        const { exit, output } = await runAgent(cluster.updatePlan(controller, options, { ...impatient, ...change }));
        assert.match(output, message);
        assert.equal(exit, 3);
    };
    const before = ["--auto-compaction-mode=periodic"];
    const after = ["--auto-compaction-mode=periodic", "--heartbeat-interval=120"];

    describe("of the only member", () => {
        beforeEach(() => create(1));
        afterEach(() => cluster.remove());

        it("restarts it with other flags, keeping its own settings", async () => {
            const { uid } = first.staticPod.metadata;
            assert.match(
                await updates(first, debug),
                /it is the only member.*\n.*can read what is stored.*\n.*no API-managed pod runs it.*\n.*wrote the manifest/,
            );
            assert.deepEqual(flagsOf(first), after);
            assert.equal(first.staticPod.metadata.uid, uid);
            assert.equal(await cluster.ownValue(first, "before"), "kept");
            const { pid } = first.kubelet;
            assert.doesNotMatch(await updates(first, debug), /switch-manifest/);
            assert.equal(first.kubelet.pid, pid);
            await updates(first, {});
            assert.deepEqual(flagsOf(first), before);
        });

        it("upgrades it, and reverts to the previous version", async () => {
            for (const etcdVersion of ["3.6.16", "3.6.8"]) {
                assert.match(await updates(first, { etcdVersion }), new RegExp(`serves with etcd ${etcdVersion}`));
                assert.equal((await first.client.status(`https://${first.machine.address}:2379`)).version, etcdVersion);
                assert.equal(await cluster.ownValue(first, "before"), "kept");
            }
        });

        it("leaves it without a server for a moment only, despite open watches", async () => {
            const close = await openWatch(first);
            const { pid } = first.kubelet;
            let last = performance.now();
            let longest = 0;
            const timer = setInterval(() => {
                const wrote = () => {
                    longest = Math.max(longest, performance.now() - last);
                    last = performance.now();
                };
                void first.ask("kv/put", { key: "YQ==", value: "Yg==" }).then(wrote, () => {});
            }, 20);
            const output = await updates(first, debug);
            clearInterval(timer);
            close();
            assert.match(output, /c-controller-0 accepts no more requests; killing it/);
            assert.notEqual(first.kubelet.pid, pid);
            console.log(`        longest pause ${longest.toFixed(0)} ms`);
            // An election takes up to a second, and etcd keeps watches for seven.
            assert.ok(longest < 4_000, `${longest} ms`);
        });

        it("leaves it unchanged if etcd does not know a flag", async () => {
            const { pid } = first.kubelet;
            await givesUp(first, /etcd 3\.6\.\d+ rejects its flags: flag provided but not defined: -nonsense/, {
                components: { etcd: { nonsense: "1" } },
            });
            assert.equal(first.kubelet.pid, pid);
        });

        it("reverts if it keeps exiting with a flag, and only tries that again under another name", async () => {
            const message = /c-controller-0 exits right after it starts/;
            await givesUp(first, /c-controller-0 exits right after it starts; it serves as before/, bad);
            assert.deepEqual(flagsOf(first), before);
            assert.equal(await cluster.ownValue(first, "before"), "kept");
            const { pid } = first.kubelet;
            await givesUp(first, message, bad);
            assert.equal(first.kubelet.pid, pid);
            // The kubelet does not back off from another image.
            assert.doesNotMatch(await updates(first, debug, { id: "another", ...impatient }), /it backs off/);
            assert.deepEqual(flagsOf(first), after);
        });

        it("resumes after SIGKILL at the start and at the end of every step", async () => {
            for (const step of stepNames.slice(0, -1)) {
                for (const event of ["start", "done"]) {
                    const { exit, output } = await runUntilCrash(cluster.updatePlan(first, debug), `${step}:${event}`);
                    assert.equal(exit, "SIGKILL", `${step}:${event}: ${output}`);
                }
            }
            await updates(first, debug);
            assert.deepEqual(flagsOf(first), after);
            assert.equal(await cluster.ownValue(first, "before"), "kept");
        });

        it("reverts after SIGKILL, also at the start and the end of the revert", async () => {
            for (const event of ["wait-until-serving:failed", "revert:start"]) {
                const { exit, output } = await runUntilCrash(cluster.updatePlan(first, bad, impatient), event);
                assert.equal(exit, "SIGKILL", `${event}: ${output}`);
            }
            await givesUp(first, /it serves as before/, bad);
            assert.deepEqual(flagsOf(first), before);
            // Once more, since the previous attempt was interrupted under another name.
            await runUntilCrash(cluster.updatePlan(first, bad, { id: "b" }), "switch-manifest:done");
            await givesUp(first, /it serves as before/, bad, { id: "c" });
            assert.deepEqual(flagsOf(first), before);
        });
    });

    describe("of three members", () => {
        beforeEach(() => create(3));
        afterEach(() => cluster.remove());

        it("updates version and flags one member at a time while a majority accepts writes", async () => {
            let isOver = false;
            let longest = 0;
            let writes = 0;
            const writing = (async () => {
                for (let last = performance.now(); !isOver; ) {
                    await Promise.any(
                        cluster.controllers.map((each) => each.ask("kv/put", { key: "YQ==", value: "Yg==" })),
                    );
                    longest = Math.max(longest, performance.now() - last);
                    last = performance.now();
                    writes++;
                    await sleep(10);
                }
            })();
            for (const controller of cluster.controllers) {
                assert.match(await updates(controller, newer), /all other members are healthy/);
            }
            isOver = true;
            await writing;
            for (const controller of cluster.controllers) {
                assert.deepEqual(flagsOf(controller), after);
                assert.equal(await cluster.ownValue(controller, "before"), "kept");
            }
            console.log(`        ${writes} writes, longest pause ${longest.toFixed(0)} ms`);
        });

        it("touches none while another one is down, and reports which", async () => {
            const [, second, third] = cluster.controllers as [Controller, Controller, Controller];
            const { pid } = second.kubelet;
            await third.kubelet.cutPower();
            const message = /c-controller-2 \(https.*\) must be healthy first: .*ECONNREFUSED/;
            await givesUp(second, message, debug, { timeouts: { "wait-for-others": 1 } });
            assert.equal(second.kubelet.pid, pid);
            third.restart();
            await until("the third member to be back", () =>
                third.members().then(
                    () => true,
                    () => false,
                ),
            );
            await updates(second, debug);
        });
    });
});
