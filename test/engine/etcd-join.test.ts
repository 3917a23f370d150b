import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type EtcdJoinPlan, stepNames } from "../../agents/etcd/join/plan";
import { memberLock } from "../../agents/etcd/member/runner";
import { takeLock } from "../../agents/harness/lock";
import { paths } from "../../cluster/paths";
import { runAgent, runUntilCrash, startAgent } from "./etcd-join/agent";
import { EtcdCluster } from "./etcd-join/cluster";
import type { Controller } from "./etcd-join/controller";
import { PeerProxy } from "./etcd-join/peer-proxy";
import { until } from "./until";

const everyName = ["c-controller-0", "c-controller-1", "c-controller-2"];

describe("etcd-join", function () {
    this.timeout(120_000);
    let cluster: EtcdCluster;
    let first: Controller;
    let second: Controller;
    let third: Controller;

    const create = (count?: 3 | 5) => {
        cluster = new EtcdCluster(count);
        [first, second, third] = cluster.controllers as [Controller, Controller, Controller];
    };
    const start = async () => {
        await cluster.start();
        await cluster.put("before", "kept");
    };
    const joins = async (controller: Controller) => {
        const { exit, output } = await runAgent(cluster.plan(controller));
        assert.equal(exit, 0, output);
        return output;
    };
    const fails = async (controller: Controller, message: RegExp, timeouts: object) => {
        const { exit, output } = await runAgent(cluster.plan(controller, { timeouts }));
        assert.match(output, message);
        assert.equal(exit, 1);
    };
    const idOf = async ({ machine }: Controller) =>
        (await first.members()).find(({ name }) => name === machine.name)!.ID;

    describe("of a third member", () => {
        before(async () => {
            create();
            await start();
            await joins(second);
            await joins(third);
        });
        after(() => cluster.remove());
        afterEach(async () => assert.deepEqual(await cluster.roll(), everyName));

        it("replicates old and new data to it", async () => {
            await cluster.put("after", "there too");
            await until(
                "the third member to have it",
                async () => (await cluster.ownValue(third, "after")) !== undefined,
            );
            assert.equal(await cluster.ownValue(third, "after"), "there too");
            assert.equal(await cluster.ownValue(third, "before"), "kept");
        });

        it("restricts keys, static pod and data to root", () => {
            const mode = (path: string) => (statSync(third.path(path)).mode & 0o777).toString(8);
            const files = [
                `${paths.etcdPki}/member.key`,
                `${paths.etcdPki}/member.crt`,
                `${paths.staticPods}/etcd.json`,
            ];
            assert.deepEqual(files.map(mode), ["600", "600", "600"]);
            assert.deepEqual([paths.etcdPki, paths.etcdMemberData].map(mode), ["700", "700"]);
        });

        it("changes nothing the second time", async () => {
            const { pid } = second.kubelet;
            assert.match(await joins(second), /already in place.*\n.*\n.*already a voter/);
            assert.equal(second.kubelet.pid, pid);
        });

        it("replaces the member of a recreated machine", async () => {
            const before = await idOf(third);
            await third.replace();
            assert.match(await joins(third), /removed c-controller-2 \(https/);
            assert.notEqual(await idOf(third), before);
            assert.equal(await cluster.ownValue(third, "before"), "kept");
        });

        it("replaces the member of a machine that only lost its data", async () => {
            const before = await idOf(third);
            await third.kubelet.cutPower();
            rmSync(third.path(paths.etcdMemberData), { recursive: true });
            // The pod must not start before the agent does: its image is not there yet.
            third.restart(60_000);
            await fails(third, /removed c-controller-2 .*(\n.*)*wait-until-serving: failed/, {
                "wait-until-serving": 1,
            });
            await third.kubelet.cutPower();
            third.restart();
            await joins(third);
            assert.notEqual(await idOf(third), before);
            assert.equal(await cluster.ownValue(third, "before"), "kept");
        });

        it("moves the member to another machine with its data, wherever that is killed", async () => {
            const before = await idOf(third);
            third = await cluster.replace(third);
            for (const event of ["start", "done"]) {
                const { exit } = await runUntilCrash(cluster.plan(third), `move-member:${event}`);
                assert.equal(exit, "SIGKILL");
            }
            const output = await joins(third);
            assert.match(output, /remove-stale-member: .*none found/);
            assert.equal(await idOf(third), before);
            assert.equal(await cluster.ownValue(third, "before"), "kept");
            const [url] = (await first.members()).find(({ ID }) => ID === before)!.peerURLs!;
            assert.equal(url, `https://${third.machine.address}:2380`);
        });

        it("does not touch data that is unknown to the cluster", async () => {
            const ID = await idOf(third);
            // etcd rejects changes right after a change of members.
            await until(
                "the member to be removed",
                async () => "members" in (await first.ask("cluster/member/remove", { ID })),
            );
            await fails(
                third,
                /find-cluster: failed: .*member-data must be the data of a member at .* To join as a new member, move/,
                {},
            );
            assert.ok(statSync(third.path(paths.etcdMemberData)).isDirectory());
            await third.replace();
            await joins(third);
        });
    });

    describe("of a second member", () => {
        beforeEach(create.bind(undefined, 3));
        afterEach(() => cluster.remove());
        const isComplete = async () => {
            assert.deepEqual(await cluster.roll(), everyName.slice(0, 2));
            assert.equal(await cluster.ownValue(second, "before"), "kept");
        };

        it("resumes after SIGKILL at the start and at the end of every step", async () => {
            await start();
            for (const step of stepNames) {
                for (const event of ["start", "done"]) {
                    const { exit, output } = await runUntilCrash(cluster.plan(second), `${step}:${event}`);
                    assert.equal(exit, "SIGKILL", `${step}:${event}: ${output}`);
                }
            }
            await joins(second);
            await isComplete();
        });

        it("resumes after SIGKILL at any other moment", async () => {
            await start();
            const plan = cluster.plan(second);
            // The agent takes some 60 ms to start and 300 ms to join.
            for (let milliseconds = 60; milliseconds < 400; milliseconds += 20) {
                const { child, ended } = startAgent(plan);
                await sleep(milliseconds);
                child.kill("SIGKILL");
                await ended;
            }
            await joins(second);
            await isComplete();
        });

        it("resumes after a power cut at the end of every step", async () => {
            await start();
            for (const step of stepNames) {
                const { exit, output } = await runUntilCrash(cluster.plan(second), `${step}:done`);
                assert.equal(exit, "SIGKILL", `${step}: ${output}`);
                await second.kubelet.cutPower();
                second.restart();
            }
            await joins(second);
            await isComplete();
        });

        it("reports a learner that does not catch up, and promotes it once it does", async () => {
            const proxies = [new PeerProxy(first), new PeerProxy(second)];
            try {
                await start();
                await runUntilCrash(cluster.plan(second), "wait-until-serving:done");
                for (const proxy of proxies) proxy.cut();
                for (let index = 0; index < 300; index++) {
                    await cluster.put(`key-${index}`, "unknown to the learner");
                }
                const message =
                    /promote: failed: waited \d+ s for c-controller-1 to be in sync.*; last seen: .*in sync with leader/;
                await fails(second, message, { promote: 2 });
                assert.deepEqual(await cluster.roll(), ["c-controller-0", "c-controller-1 (learner)"]);
                for (const proxy of proxies) proxy.mend();
                await joins(second);
                await isComplete();
            } finally {
                for (const proxy of proxies) proxy.close();
            }
        });

        it("reports that the cluster has no quorum, and leaves its machine to a restore meanwhile", async () => {
            await start();
            await joins(second);
            await second.replace();
            const { directories }: EtcdJoinPlan = JSON.parse(readFileSync(cluster.plan(second), "utf8"));
            const restore = await takeLock(memberLock(directories.data), () => {});
            const message =
                /find-cluster: failed: waited \d+ s for the etcd cluster behind https.*; last seen: .*(timed out|no leader)/;
            await fails(second, message, { "find-cluster": 1 });
            await restore.release();
        });

        it("reports which learner has to be promoted first", async () => {
            await start();
            await runUntilCrash(cluster.plan(second), "wait-until-serving:done");
            const message = /add-learner: failed: .*too many learner members.*c-controller-1 is still a learner/;
            await fails(third, message, { "add-learner": 1 });
        });
    });

    it("reports which voter has to return before a fourth member joins", async () => {
        create(5);
        try {
            await start();
            await joins(second);
            await joins(third);
            await second.kubelet.cutPower();
            const { address } = second.machine;
            const message = new RegExp(
                `add-learner: failed: .*unhealthy cluster.* \\(https://${address}:2379: .*ECONNREFUSED`,
            );
            await fails(cluster.controllers[3]!, message, { "add-learner": 1 });
        } finally {
            await cluster.remove();
        }
    });
});
