import assert from "node:assert/strict";
import { minorOf } from "../../../cluster/upgrades/version";
import { powerCut, reboot } from "../../../machines";
import { versions } from "../../../versions";
import { describeLong } from "../../takes-long";
import { eventually, finished, TestCluster } from "../cluster";
import { loseControlPlane } from "../control-plane-loss";
import { countObjects } from "../count-objects";
import { untilRunBy } from "../etcd-runner";
import { isWhole } from "../faults/whole";
import { kubeletsOn, podsFlags, podsWork, untilKubelets } from "../kubelets-seen";
import { olderVersion } from "../life";
import { loadBalancerTargets } from "../rollout";
import { allAre, underProber } from "../under-prober";

// Each part alone, with one controller: `shared-cluster/self-hosted-kubelet.test.ts` and `self-hosted-etcd.test.ts`.
for (const count of [1, 3]) {
    const cluster = new TestCluster(`level0-${count}`);
    const controllers = Array.from({ length: count }, (_, index) => `${cluster.name}-controller-${index}`);
    const last = controllers.at(-1)!;
    const scene = { cluster, controllers, workers: [] };
    const set = (path: string, value: string) =>
        cluster.pulumi("config", "set", "--path", `tradewind:${path}`, value, "--plaintext");
    const up = () => cluster.pulumi("up", "--yes", "--skip-preview");
    const changes = (what: string) => underProber(cluster, what, () => loadBalancerTargets(cluster), up);
    const podsRun = async (what: string) => {
        for (const node of controllers) {
            await untilKubelets(cluster, node, `the pod's kubelet works ${what}`, podsWork);
            await untilRunBy(cluster, node, `the pod has the member ${what}`, "etcd-pod");
        }
    };

    describeLong(`a new cluster with self-hosted kubelets and etcd, with controllers: ${count}`, function () {
        this.timeout(900_000);

        before(() => {
            const size = ["--controllers", String(count), "--workers", "0"];
            return finished(cluster.spawnStart(...size, "--level", "0-4", "--kubernetes", olderVersion, "--yes"));
        });
        after(() => cluster.destroy());

        it("runs both in pods, and has nothing to change", async () => {
            await podsRun("in a new cluster");
            await cluster.pulumi("preview", "--expect-no-changes");
        });

        it("fails no request when its kubelets get another flag", async () => {
            await set("components.kubelet.v", "1");
            await changes("another flag of kubelets");
            await podsRun("with another flag of kubelets");
            for (const node of controllers) assert.match(await podsFlags(cluster, node), / --v=1 /, node);
        });

        it("loses no acknowledged write when etcd gets another flag", async () => {
            await set("components.etcd.heartbeat-interval", "120");
            await countObjects(cluster, "another flag of etcd", up);
            await podsRun("with another flag of etcd");
        });

        it("fails no request when it is upgraded to the next minor version", async () => {
            await set("kubernetesVersion", versions.kubernetes);
            await changes(`${olderVersion} to ${versions.kubernetes}`);
            await allAre(cluster, versions.kubernetes, count);
            await podsRun("with another version");
            await cluster.pulumi("preview", "--expect-no-changes");
        });

        it(`nor when it goes back to ${minorOf(olderVersion)}`, async () => {
            await set("kubernetesVersion", olderVersion);
            await changes(`${versions.kubernetes} to ${olderVersion}`);
            await allAre(cluster, olderVersion, count);
            await podsRun("with the earlier version");
        });

        it("runs both in pods again after a reboot and after a power cut", async () => {
            for (const [what, act] of Object.entries({ "a reboot": reboot, "a power cut": powerCut })) {
                const since = new Date();
                await countObjects(cluster, what, async () => {
                    await act(cluster.name, last);
                    await isWhole(scene, since, 240);
                });
                await podsRun(`after ${what}`);
            }
        });

        it("is recovered from etcd when its pods and checkpoints are destroyed", async () => {
            const since = new Date();
            await loseControlPlane(cluster, controllers);
            await cluster.tradewind("recover", "--from", "etcd", "--timeout", "300");
            await isWhole(scene, since, 240);
            await podsRun("after a recovery");
        });

        it("switches to the default level with npm start", async () => {
            await cluster.start("--level", "2-4", "--yes");
            for (const node of controllers) {
                await eventually(`${node}'s kubelet`, async () =>
                    assert.deepEqual(await kubeletsOn(cluster, node), ["free host"]),
                );
                await untilRunBy(cluster, node, "the static pod has the member again", "");
            }
            await cluster.pulumi("preview", "--expect-no-changes");
        });
    });
}
