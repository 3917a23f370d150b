import assert from "node:assert/strict";
import { comeBack, sizeAnnotation } from "../../../../components/rolling-resize/leave";
import { FakeCluster } from "./fake-cluster";

describe("a node whose machine was stopped", () => {
    const left = { containers: new Set(["1"]) };
    let cluster: FakeCluster;
    const back = (seconds: number) => comeBack(cluster.api, "c-1", left, seconds, () => {});

    beforeEach(() => {
        cluster = new FakeCluster();
        cluster.node("c-1", true);
        Object.assign(cluster.nodes["c-1"]!, { annotations: { [sizeAnnotation]: "true" } });
        cluster.pods = { apiserver: { node: "c-1", container: "9", owner: "DaemonSet" } };
    });

    it("is back with containers started since, and is uncordoned", async () => {
        await back(0);
        assert.deepEqual(cluster.asked, [`patch c-1 {"unschedulable":null,"${sizeAnnotation}":null}`]);
    });

    it("stays cordoned if something else cordoned it", async () => {
        Object.assign(cluster.nodes["c-1"]!, { annotations: {} });
        await back(0);
        assert.deepEqual(cluster.asked, []);
    });

    it("is not back while the API shows the state before, or its pods are not Ready", async () => {
        for (const pod of [{ container: "1" }, { container: "9", isReady: false }]) {
            cluster.pods.apiserver = { node: "c-1", ...pod };
            await assert.rejects(back(0), { message: /last seen: apiserver is not Ready$/ });
        }
        cluster.nodes["c-1"]!.isReady = false;
        await assert.rejects(back(0), { message: /^waited 0 s for c-1 to be back; last seen: c-1 is not Ready$/ });
    });
});
