import assert from "node:assert/strict";
import { describeLong } from "../../takes-long";
import { finished, TestCluster } from "../cluster";
import { olderVersion } from "../life";
import { kubeletFlags } from "../node-sight";
import { buildPatches, newerPatch, olderPatch } from "../older-patch";
import { loadBalancerTargets } from "../rollout";
import { allAre, underProber } from "../under-prober";

const cluster = new TestCluster("three");
const controllers = [0, 1, 2].map((index) => `${cluster.name}-controller-${index}`);
const set = (path: string, value: string | number) =>
    cluster.pulumi("config", "set", "--path", `tradewind:${path}`, String(value), "--plaintext");
const up = () => cluster.pulumi("up", "--yes", "--skip-preview");
const lose = (what: string, act: () => Promise<unknown>) =>
    underProber(cluster, what, () => loadBalancerTargets(cluster), act);

// For one controller see `life/upgrade.test.ts`, `one-controller.test.ts` and `shared-cluster/`.
describeLong("a cluster of three controllers fails no request", function () {
    this.timeout(1_200_000);

    before(async function () {
        await buildPatches(this);
        await finished(
            cluster.spawnStart("--controllers", "3", "--workers", "0", "--kubernetes", olderVersion, "--yes"),
        );
    });
    after(() => cluster.destroy());

    it("when it gets certificates of another generation, another kubelet flag, and a new key of service accounts, which then comes first", async () => {
        await lose("certificates of generation 2, a kubelet's flag, service accounts' keys 1 and 2", async () => {
            await set("certificates.generation", 2);
            await set("components.kubelet.v", 1);
            await set("keys.serviceAccount[0]", 1);
            await set("keys.serviceAccount[1]", 2);
            await up();
        });
        for (const node of controllers) assert.ok((await kubeletFlags(cluster, node)).includes("--v=1"), node);
        await lose("service accounts' keys 2 and 1", async () => {
            await set("keys.serviceAccount[0]", 2);
            await set("keys.serviceAccount[1]", 1);
            await up();
        });
        await cluster.pulumi("preview", "--expect-no-changes");
    });

    for (const [from, to] of [
        [olderVersion, olderPatch],
        [olderPatch, newerPatch],
    ] as const) {
        it(`when ${from} becomes ${to}`, async () => {
            await set("kubernetesVersion", to);
            await lose(`${from} to ${to}`, up);
            assert.match(await cluster.kubectl("version"), new RegExp(`Server Version: v${to}`));
            await allAre(cluster, to, 3);
            await cluster.pulumi("preview", "--expect-no-changes");
        });
    }
});
