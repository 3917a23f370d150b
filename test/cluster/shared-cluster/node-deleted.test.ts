import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { powerCut } from "../../../machines";
import { describeLong } from "../../takes-long";
import { deleteNodes } from "../delete-nodes";
import { apiAnswers, isWhole, type Scene } from "../faults";
import { describeTallies, Prober } from "../prober";
import { likeKubernetes, loadBalancerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const workers = [`${shared.name}-default-0`, `${shared.name}-default-1`] as const;
const scene: Scene = { cluster: shared, controllers: [controller], workers };
const checkpoints = () => shared.exec(controller, "ls /etc/kubernetes/checkpoints/kube-system");

describeLong("a deleted Node", function () {
    this.timeout(600_000);

    before(async () => {
        await sharedCluster();
        await isWhole(scene, new Date(), 180);
    });

    it("is registered again by its machine, without a failed request for the only controller's", async () => {
        const kept = await checkpoints();
        const prober = new Prober(await loadBalancerTargets(shared), 400);
        const start = performance.now();
        try {
            const since = new Date();
            const areBack = await deleteNodes(shared, controller, workers[0]);
            await areBack();
            console.log(`      back after ${((performance.now() - start) / 1000).toFixed(0)} s`);
            await isWhole(scene, since, 240);
            console.log(`      healthy after ${((performance.now() - start) / 1000).toFixed(0)} s`);
            // The last copy drains.
            await sleep(15_000);
        } finally {
            const tallies = await prober.stop();
            console.log(`      ${describeTallies(tallies)}`);
            assert.deepEqual(
                likeKubernetes(tallies).flatMap(({ failures }) => failures),
                [],
            );
        }
        assert.equal(await checkpoints(), kept);
        const { stdout } = await shared.pulumi("up", "--yes", "--skip-preview");
        assert.doesNotMatch(stdout, /created|updated|deleted|replaced/, "a plain `up` has nothing to do");
    });

    const acts: [string, () => Promise<unknown>][] = [
        ["its kubelet restarts at once", () => shared.exec(controller, "systemctl restart kubelet")],
        ["its machine loses power", () => powerCut(shared.name, controller)],
    ];
    for (const [what, act] of acts) {
        it(`returns with its control plane for the only controller's if ${what}`, async () => {
            const since = new Date();
            const isBack = await deleteNodes(shared, controller);
            await act();
            await apiAnswers(scene);
            await isBack();
            await isWhole(scene, since, 300);
        });
    }

    it("returns to the pod network for a worker's if its kubelet restarts at once", async () => {
        const since = new Date();
        const isBack = await deleteNodes(shared, workers[0]);
        await shared.exec(workers[0], "systemctl restart kubelet");
        await isBack();
        await isWhole(scene, since, 300);
    });
});
