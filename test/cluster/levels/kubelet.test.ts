import assert from "node:assert/strict";
import { powerCut } from "../../../machines";
import { versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { eventually, finished, TestCluster } from "../cluster";
import { isWhole } from "../faults/whole";
import { kubeletsOn, podsFlags, podsWork, untilKubelets } from "../kubelets-seen";
import { olderVersion } from "../life";
import { loadBalancerTargets } from "../rollout";
import { allAre, underProber } from "../under-prober";

const cluster = new TestCluster("kubeletpods");
const controllers = [0, 1, 2].map((index) => `${cluster.name}-controller-${index}`);
const set = (path: string, value: string) =>
    cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
const changes = (what: string) =>
    underProber(
        cluster,
        what,
        () => loadBalancerTargets(cluster),
        () => cluster.pulumi("up", "--yes", "--skip-preview"),
    );

async function podsAreKubelets(what: string): Promise<void> {
    for (const node of controllers) await untilKubelets(cluster, node, what, podsWork);
}

// Switching to the level and back, with one controller: `shared-cluster/self-hosted-kubelet.test.ts`.
describeLong("a new cluster of three controllers at level 0-4", function () {
    this.timeout(900_000);

    before(() => {
        const size = ["--controllers", "3", "--workers", "0"];
        return finished(cluster.spawnStart(...size, "--level", "0-4", "--kubernetes", olderVersion, "--yes"));
    });
    after(() => cluster.destroy());

    it("runs its kubelets in pods, and has nothing to change", async () => {
        await podsAreKubelets("the pod's kubelet works in a new cluster");
        await cluster.pulumi("preview", "--expect-no-changes");
    });

    it("fails no request when its kubelets get another flag", async () => {
        await set("components.kubelet.v", "1");
        await changes("another flag of kubelets");
        await podsAreKubelets("the pod's kubelet works with another flag");
        for (const node of controllers) assert.match(await podsFlags(cluster, node), / --v=1 /, node);
    });

    it("nor when it is upgraded to the next minor version", async () => {
        await set("kubernetesVersion", versions.kubernetes);
        await changes(`${olderVersion} to ${versions.kubernetes}`);
        await allAre(cluster, versions.kubernetes, controllers.length);
        await podsAreKubelets("the pod's kubelet works with another version");
        await cluster.pulumi("preview", "--expect-no-changes");
    });

    it("has them again after a controller lost power", async () => {
        const since = new Date();
        await powerCut(cluster.name, controllers[1]!);
        await isWhole({ cluster, controllers, workers: [] }, since, 240);
        await podsAreKubelets("the pod's kubelet works after a power cut");
    });

    it("switches to the default level with npm start", async () => {
        await cluster.start("--level", "2-4", "--yes");
        for (const node of controllers) {
            await eventually(`${node}'s kubelet`, async () =>
                assert.deepEqual(await kubeletsOn(cluster, node), ["free host"]),
            );
        }
        await cluster.pulumi("preview", "--expect-no-changes");
    });
});
