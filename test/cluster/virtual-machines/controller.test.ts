import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeConfig } from "../../../local/stack-config";
import { powerCut } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually, TestCluster } from "../cluster";
import { makeAsker } from "../pod-asks";
import { isConfiguredByMetadata, isLikeInCloud, podsWork } from "./guest";

describeLong("an only controller that is a virtual machine", function () {
    this.timeout(5_400_000);
    const cluster = new TestCluster("guestctl");
    const node = "guestctl-controller-0";
    const names = ["kubernetes.default.svc.cluster.local", `${node}.guestctl.tradewind.internal`];

    after(() => cluster.destroy());

    it("bootstraps a control plane that pivots", async () => {
        mkdirSync(cluster.stateDir, { recursive: true });
        writeConfig(join(cluster.stateDir, "Pulumi.guestctl.yaml"), { "tradewind:rolloutTimeout": "30m" });
        const start = performance.now();
        const asGuest = ["--os", "cloud-init", "--os-like", "virtual-machine"];
        await cluster.start("--controllers", "1", "--workers", "0", ...asGuest, "--yes");
        console.log(`      npm start: ${((performance.now() - start) / 1000).toFixed(0)} s`);
        await isConfiguredByMetadata(cluster, node);
        await isLikeInCloud(cluster, node);
        await makeAsker(cluster, node, 900);
        await podsWork(cluster, node, names);
    });

    it("comes back after a power cut", async () => {
        await powerCut("guestctl", node);
        await eventually("an answer of a pod", () => podsWork(cluster, node, names), 1800);
        await isLikeInCloud(cluster, node);
    });
});
