import assert from "node:assert/strict";
import { runAgent } from "./etcd-join/agent";
import { EtcdCluster } from "./etcd-join/cluster";

describe("etcd-join", function () {
    this.timeout(120_000);
    let cluster: EtcdCluster;

    beforeEach(async () => {
        cluster = new EtcdCluster();
        await cluster.start();
    });
    afterEach(() => cluster.remove());

    it("takes etcd from one member to three", async () => {
        const [, second, third] = cluster.controllers;
        for (const controller of [second!, third!]) {
            const { exit, output } = await runAgent(cluster.plan(controller));
            console.log(output);
            assert.equal(exit, 0, output);
        }
        assert.deepEqual(await cluster.roll(), ["c-controller-0", "c-controller-1", "c-controller-2"]);
    });
});
