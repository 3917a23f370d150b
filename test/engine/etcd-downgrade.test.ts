import assert from "node:assert/strict";
import { stepNames } from "../../agents/etcd/update/plan";
import { runAgent as joinAgent } from "./etcd-join/agent";
import { EtcdCluster } from "./etcd-join/cluster";
import type { Controller } from "./etcd-join/controller";
import { runAgent, runUntilCrash } from "./etcd-update/agent";
import { until } from "./until";

const newer = { etcdVersion: "3.7.3" };
const older = { etcdVersion: "3.6.16" };
/** etcd accepts the flag, and exits when it reads the value. */
const broken = { ...older, components: { etcd: { "auto-compaction-mode": "sometimes" } } };

/** Writes one key after another until stopped, and remembers which writes were acknowledged. */
function startWriter(cluster: EtcdCluster) {
    const acknowledged: string[] = [];
    let isOver = false;
    const writing = (async () => {
        for (let index = 0; !isOver; index++) {
            const key = `write-${index}`;
            const body = { key: Buffer.from(key).toString("base64"), value: Buffer.from(key).toString("base64") };
            const answers = cluster.controllers.map((each) => each.client.send(url(each), "kv/put", body, 2_000));
            await Promise.any(answers).then(
                () => acknowledged.push(key),
                () => {},
            );
        }
    })();
    return async () => {
        isOver = true;
        await writing;
        for (const controller of cluster.controllers) {
            for (const key of acknowledged) {
                await until(`${controller.machine.name} to have ${key}`, async () => {
                    return (await cluster.ownValue(controller, key)) === key;
                });
            }
        }
        assert.ok(acknowledged.length > 20, `only ${acknowledged.length} writes`);
        console.log(`        ${acknowledged.length} acknowledged writes, all read back`);
    };
}

function url({ machine }: Controller): string {
    return `https://${machine.address}:2379`;
}

describe("the way back of etcd", function () {
    this.timeout(240_000);
    let cluster: EtcdCluster;
    let first: Controller;

    const create = async (count: 1 | 3) => {
        cluster = new EtcdCluster(count, newer);
        first = cluster.first;
        await cluster.start();
        for (const further of cluster.controllers.slice(1)) {
            assert.equal((await joinAgent(cluster.plan(further))).exit, 0);
        }
        await untilStored("3.7.0");
    };
    const updates = async (controller: Controller, options: object, id?: string) => {
        const { exit, output } = await runAgent(cluster.updatePlan(controller, options, id ? { id } : {}));
        assert.equal(exit, 0, output);
        return output;
    };
    const crashes = async (controller: Controller, options: object, at: string) => {
        const { exit, output } = await runUntilCrash(cluster.updatePlan(controller, options), at);
        assert.equal(exit, "SIGKILL", `${at}: ${output}`);
    };
    const status = (controller: Controller) => controller.client.status(url(controller));
    /** Waits until every member serves and stores as this version, and no downgrade is in progress. */
    const untilStored = async (version: string) => {
        for (const controller of cluster.controllers) {
            await until(`${controller.machine.name} to store as ${version}`, async () => {
                const now = await status(controller).catch(() => undefined);
                return now?.storageVersion === version && !now.downgradeInfo?.enabled;
            });
        }
    };

    describe("with one member", () => {
        beforeEach(() => create(1));
        afterEach(() => cluster.remove());

        it("goes to the previous minor version and up again, and keeps every acknowledged write", async () => {
            const stopWriter = startWriter(cluster);
            assert.match(await updates(first, older), /storage-version: c-controller-0 stores as etcd 3\.6 /);
            assert.equal((await status(first)).version, "3.6.16");
            await untilStored("3.6.0");
            assert.match(await updates(first, newer), /storage-version: etcd 3\.7\.3 can read what is stored/);
            await untilStored("3.7.0");
            await updates(first, older);
            await stopWriter();
        });

        it("goes on after SIGKILL at the start and the end of every step", async () => {
            const stopWriter = startWriter(cluster);
            for (const step of stepNames.slice(0, -1)) {
                for (const event of ["start", "done"]) await crashes(first, older, `${step}:${event}`);
            }
            await updates(first, older);
            assert.equal((await status(first)).version, "3.6.16");
            await untilStored("3.6.0");
            await stopWriter();
        });

        it("stays at the newer version if that is desired again, whatever was interrupted", async () => {
            for (const at of ["storage-version:done", "switch-manifest:done"]) {
                await crashes(first, older, at);
                await updates(first, newer, at);
                assert.equal((await status(first)).version, "3.7.3");
                await untilStored("3.7.0");
            }
        });

        it("goes on after a power cut of its machine", async () => {
            const stopWriter = startWriter(cluster);
            for (const at of ["storage-version:start", "storage-version:done", "switch-manifest:done"]) {
                await crashes(first, older, at);
                await first.kubelet.cutPower();
                first.restart();
            }
            await updates(first, older);
            await untilStored("3.6.0");
            await stopWriter();
        });

        it("reverts to the newer version, and cancels the downgrade, if the older one does not start", async () => {
            const plan = cluster.updatePlan(first, broken, { settleSeconds: 1 });
            const { exit, output } = await runAgent(plan);
            assert.equal(exit, 3, output);
            assert.match(output, /c-controller-0 exits right after it starts; it serves as before/);
            assert.equal((await status(first)).version, "3.7.3");
            await untilStored("3.7.0");
        });

        it("changes nothing if etcd does not lower its storage version", async () => {
            const { pid } = first.kubelet;
            const timeouts = { "storage-version": 0.1 };
            const { exit, output } = await runAgent(cluster.updatePlan(first, older, { timeouts }));
            assert.equal(exit, 3, output);
            assert.match(
                output,
                /waited 0 s for c-controller-0 to store as etcd 3\.6; last seen: it stores as 3\.7\.0/,
            );
            assert.equal(first.kubelet.pid, pid);
            await untilStored("3.7.0");
        });
    });

    describe("with three members", () => {
        beforeEach(() => create(3));
        afterEach(() => cluster.remove());

        it("goes one member at a time, over SIGKILL and a power cut, and keeps every acknowledged write", async () => {
            const [, second, third] = cluster.controllers as [Controller, Controller, Controller];
            const stopWriter = startWriter(cluster);
            await updates(first, older);
            await crashes(second, older, "switch-manifest:done");
            await second.kubelet.cutPower();
            second.restart();
            await updates(second, older);
            await crashes(third, older, "storage-version:done");
            await updates(third, older);
            for (const each of cluster.controllers) assert.equal((await status(each)).version, "3.6.16");
            await untilStored("3.6.0");
            await stopWriter();
        });

        it("goes up again from halfway", async () => {
            await updates(first, older);
            await crashes(cluster.controllers[1]!, older, "storage-version:done");
            assert.match(await updates(first, newer), /storage-version: cancelled the downgrade/);
            await untilStored("3.7.0");
        });
    });
});
