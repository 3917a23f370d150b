import assert from "node:assert/strict";
import { yieldLead } from "../../agents/nodes/node-agent/reboot/yield-lead";
import { paths } from "../../cluster/paths";
import { runAgent as joinAgent } from "./etcd-join/agent";
import { EtcdCluster } from "./etcd-join/cluster";
import type { Controller } from "./etcd-join/controller";

const endpointOf = ({ machine }: Controller) => `https://${machine.address}:2379`;
const yields = (controller: Controller, seconds?: number) =>
    yieldLead(
        { endpoint: endpointOf(controller), pki: controller.path(paths.etcdPki) },
        controller.machine.name,
        seconds,
    );
const leads = async (controller: Controller) => {
    const { header, leader } = await controller.client.status(endpointOf(controller));
    return header.member_id === leader;
};

describe("a controller that is about to reboot, with a real etcd", function () {
    this.timeout(60_000);
    let cluster: EtcdCluster;

    const create = async (count: 1 | 3) => {
        cluster = new EtcdCluster(count);
        await cluster.start();
        for (const further of cluster.controllers.slice(1)) {
            assert.equal((await joinAgent(cluster.plan(further))).exit, 0);
        }
    };
    afterEach(() => cluster.remove());

    it("moves leadership from its member to another one, and goes down anyway if that fails", async () => {
        await create(3);
        const [first, second, third] = cluster.controllers as [Controller, Controller, Controller];
        assert.equal(await leads(first), true);
        assert.match(await yields(first), /^another leader of etcd: moved to c-controller-[12] /);
        assert.equal(await leads(first), false);
        assert.equal(await yields(first), "another leader of etcd: not needed");

        const leader = (await leads(second)) ? second : third;
        for (const other of cluster.controllers.filter((each) => each !== leader)) await other.kubelet.cutPower();
        assert.match(await yields(leader, 1), /^etcd may be without a leader for a few seconds: /);
    });

    it("does nothing for the only member, or on a machine that has none yet", async () => {
        await create(1);
        assert.equal(await yields(cluster.first), "another leader of etcd: not needed");
        const member = { endpoint: endpointOf(cluster.first), pki: cluster.first.path("/none") };
        assert.match(await yieldLead(member, "c-controller-0", 1), /^etcd may be without a leader .*ENOENT/);
    });
});
