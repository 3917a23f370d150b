import assert from "node:assert/strict";
import { leave } from "../../../../components/rolling-resize/leave";
import { FakeCluster } from "./fake-cluster";

const limits = { answer: 0, health: 0, drain: 0 };
const cordon = 'patch c-1 {"unschedulable":true,"tradewind.dev/cordoned-for-size":"true"}';

describe("a node whose machine is to be stopped", () => {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    let cluster: FakeCluster;

    beforeEach(() => {
        said.length = 0;
        cluster = new FakeCluster();
        for (const name of ["c-0", "c-1"]) cluster.node(name, true);
        cluster.node("w-0");
        cluster.pods = {
            apiserver: { node: "c-1", container: "1", owner: "DaemonSet" },
            coredns: { node: "c-1", container: "2", owner: "ReplicaSet" },
            other: { node: "c-0", container: "3", owner: "DaemonSet" },
        };
    });

    it("is cordoned and drained, and what the system ran there is remembered", async () => {
        const left = await leave(cluster.api, "c-1", { ...limits, drain: 10 }, say);
        assert.deepEqual(left, { containers: new Set(["1", "2"]) });
        assert.deepEqual(cluster.asked, [cordon, "evict coredns"]);
        assert.deepEqual(said, ["cordoning and draining c-1"]);
    });

    it("stays as somebody else cordoned it", async () => {
        cluster.nodes["c-1"]!.spec = { unschedulable: true };
        await leave(cluster.api, "c-1", { ...limits, drain: 10 }, say);
        assert.deepEqual(cluster.asked, ["evict coredns"]);
    });

    it("waits for the controllers and what they run, and not for workers", async () => {
        cluster.nodes["w-0"]!.isReady = false;
        await leave(cluster.api, "c-1", { ...limits, drain: 10 }, say);
        cluster.nodes["c-0"]!.isReady = false;
        cluster.pods.other = { node: "c-0", container: "3", isReady: false };
        await assert.rejects(leave(cluster.api, "c-1", limits, say), {
            message:
                "waited 0 s for everything else to be healthy before c-1 is stopped; last seen: c-0 is not Ready; other is not Ready",
        });
    });

    it("is cordoned and not drained if it is not Ready itself, as a replacement may be what it needs", async () => {
        cluster.nodes["c-1"]!.isReady = false;
        cluster.pods.apiserver = { node: "c-1", container: "1", owner: "DaemonSet", isReady: false };
        await leave(cluster.api, "c-1", limits, say);
        assert.deepEqual(cluster.asked, [cordon]);
        assert.deepEqual(said, ["c-1 is not drained, because it is not Ready"]);
    });

    it("is stopped anyway if its pods do not terminate in time", async () => {
        Object.defineProperty(cluster.pods, "coredns", { value: cluster.pods.coredns, writable: false });
        await leave(cluster.api, "c-1", limits, say);
        assert.match(said.at(-1)!, /^c-1 is stopped anyway: waited 0 s for the pods of c-1 to terminate/);
    });

    it("is not changed if there is no API or no such node", async () => {
        assert.equal(await leave(cluster.api, "c-7", limits, say), "no node");
        cluster.refusal = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
        assert.equal(await leave(cluster.api, "c-1", limits, say), "no API");
        assert.match(said.at(-1)!, /^c-1 is stopped without being drained: waited 0 s for the API; last seen: connect/);
    });
});
