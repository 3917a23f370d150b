import assert from "node:assert/strict";
import { powerCut } from "../../../machines";
import { versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { eventually, TestCluster } from "../cluster";
import { olderVersion } from "../life";
import { makeAsker } from "../pod-asks";
import { isConfiguredByMetadata, isLikeInCloud, podsWork } from "./guest";

const names = ["kubernetes.default.svc.cluster.local", "guest-controller-0.guest.tradewind.internal"];

describeLong("a worker that is a virtual machine", function () {
    this.timeout(900_000);
    const cluster = new TestCluster("guest");
    const node = "guest-default-0";
    // Only new machines are made by these: the controller stays a container, which is faster.
    const asGuest = {
        "tradewind:os": "cloud-init",
        "tradewind:osLike": "virtual-machine",
        // Cluster DNS waits for it.
        "tradewind:rolloutTimeout": "15m",
        "tradewind:workerPools[0].name": "default",
        "tradewind:workerPools[0].count": "1",
    };
    const isReady = () => cluster.kubectl("wait", "--for=condition=Ready", `node/${node}`, "--timeout=5s");

    before(async () => {
        await cluster.start("--controllers", "1", "--workers", "0", "--kubernetes", olderVersion, "--yes");
    });
    after(() => cluster.destroy());

    it("joins from its metadata service, with the address of its private network card", async () => {
        const start = performance.now();
        for (const [key, value] of Object.entries(asGuest)) await cluster.pulumi("config", "set", "--path", key, value);
        await cluster.pulumi("up", "--yes");
        await eventually("the node", isReady, 300);
        console.log(`      from its creation to Ready: ${((performance.now() - start) / 1000).toFixed(0)} s`);
        await isConfiguredByMetadata(cluster, node);
        await isLikeInCloud(cluster, node);
    });

    it("runs pods, with DNS, Services, limits and logs", async () => {
        await makeAsker(cluster, node, 300);
        await podsWork(cluster, node, names);
    });

    it("comes back after a power cut", async () => {
        await powerCut("guest", node);
        await eventually("an answer of its pod", () => podsWork(cluster, node, names), 300);
        await isReady();
        await isLikeInCloud(cluster, node);
    });

    it("gets another version of the kubelet", async () => {
        await cluster.start("--kubernetes", versions.kubernetes, "--yes");
        const { status } = await cluster.get<{ status: { nodeInfo: { kubeletVersion: string } } }>("node", node);
        assert.equal(status.nodeInfo.kubeletVersion, `v${versions.kubernetes}`);
        await eventually("an answer of its pod", () => podsWork(cluster, node, names), 120);
    });
});
