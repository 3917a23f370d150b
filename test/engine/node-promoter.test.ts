import assert from "node:assert/strict";
import { controllersConfig, requestKey } from "../../agents/nodes/promoter/record";
import { patch } from "../../clients/kubernetes/api-client";
import type { Event } from "../../clients/kubernetes/objects";
import type { Machine } from "./node-promoter/machine";
import { Scene } from "./node-promoter/scene";
import { until } from "./until";

describe("node-promoter, killed after each thing that it does", function () {
    this.timeout(240_000);
    let scene: Scene;

    before(async () => {
        scene = await Scene.start();
    });
    after(() => scene?.stop());
    afterEach(function () {
        if (this.currentTest?.state !== "failed") return;
        console.log(scene.output, JSON.stringify(scene.record, null, 1));
        for (const { name, output } of scene.machines) console.log(name, output.join("\n"));
    });

    const names = (...indexes: number[]) => indexes.map((index) => `c-controller-${index}`);
    const settles = async (machine: Machine, role: string) => {
        await until(`${machine.name} to be a ${role}`, () => scene.record[machine.name]?.role === role, 120);
    };
    const hasEvent = (node: string, reason: string) =>
        until(`the event ${reason} of ${node}`, async () => {
            const path = "/api/v1/namespaces/default/events";
            const { items } = (await scene.api.http.send({ method: "GET", path })) as unknown as { items: Event[] };
            return items.some(
                (each) => each.involvedObject.name === node && (each as Event & { reason?: string }).reason === reason,
            );
        });
    const request = (node: string, what: string) =>
        patch(scene.client, `/api/v1/namespaces/kube-system/configmaps/${controllersConfig}`, "merge", {
            data: { [requestKey(node)]: what },
        });

    it("replaces a lost controller by a candidate, which has all data", async () => {
        const [, lost, , candidate] = scene.machines as [Machine, Machine, Machine, Machine];
        await scene.etcd.put("before", "kept");
        await scene.lose(lost);
        await settles(candidate, "controller");
        assert.deepEqual(await scene.etcd.roll(), names(0, 2, 3));
        assert.equal(await scene.etcd.ownValue(candidate.controller, "before"), "kept");
        assert.deepEqual(await scene.labels(candidate), { role: true, label: "joining" });
        assert.deepEqual(await scene.labels(lost), { role: false, label: "leaving" });
        assert.equal(scene.record[lost.name]?.role, "leaving");
        assert.equal(scene.record[candidate.name]?.why, "instead of c-controller-1 (lost for 2 s)");
        await hasEvent(candidate.name, "ControllerPromoted");
        assert.ok(scene.kills >= 8, `${scene.kills} kills`);
    });

    it("makes a lost controller that returns a candidate, with nothing of a controller on its disk", async () => {
        const lost = scene.machines[1]!;
        assert.notDeepEqual(lost.remains(), []);
        lost.saveCheckpoint();
        await scene.regain(lost);
        await settles(lost, "candidate");
        assert.deepEqual(lost.remains(), []);
        await until("its labels to be removed", async () => (await scene.labels(lost)).label === undefined);
        assert.deepEqual(await scene.etcd.roll(), names(0, 2, 3));
    });

    it("demotes the controller whose member leads on request, and promotes the stack's own again", async () => {
        const { etcd, machines } = scene;
        const [first, again, third] = machines as [Machine, Machine, Machine];
        const members = await first.controller.members();
        const { header, leader } = await first.controller.client.status(
            `https://${first.controller.machine.address}:2379`,
        );
        const target = members.find(({ name }) => name === third.name)!;
        if (leader !== target.ID) {
            const old = members.find(({ ID }) => ID === leader)!;
            assert.ok(header.member_id);
            await first.controller.client.moveLeader(old.clientURLs![0]!, target.ID);
        }
        await request(third.name, "demote");
        await settles(third, "candidate");
        await settles(again, "controller");
        assert.deepEqual(await etcd.roll(), names(0, 1, 3));
        assert.deepEqual(third.remains(), []);
        assert.equal(scene.record[third.name]?.excluded, "requested");
        assert.equal(await etcd.ownValue(again.controller, "before"), "kept");
        assert.match(again.output.join(""), /was demoted: it does not join etcd/);
        await until("its labels to be removed", async () => (await scene.labels(third)).label === undefined);
        assert.deepEqual(await scene.labels(third), { role: false });
    });
});
