import assert from "node:assert/strict";
import { probeWorker } from "../../../../../cli/status/collect/probes";

describe("certificates of nodes without a control plane", () => {
    it("are the kubelet's, and etcd's of the arbiter", async () => {
        // Nothing listens there.
        const host = { name: "c-arbiter-0", address: "127.99.0.1" };
        const namesOf = async (probed: ReturnType<typeof probeWorker>) => (await probed).map(({ name }) => name);
        assert.deepEqual(await namesOf(probeWorker(host)), ["kubelet"]);
        assert.deepEqual(await namesOf(probeWorker({ ...host, isArbiter: true })), ["etcd", "kubelet"]);
    });
});
