import { powerCut } from "../../../machines";
import { describeLong } from "../../takes-long";
import { finished, TestCluster } from "../cluster";
import { deleteNodes } from "../delete-nodes";
import { isWhole, type Scene } from "../faults";
import { loadBalancerTargets } from "../rollout";
import { underProber } from "../under-prober";

const cluster = new TestCluster("deleted");
const controllers = [0, 1, 2].map((index) => `${cluster.name}-controller-${index}`) as [string, string, string];
const scene: Scene = { cluster, controllers, workers: [] };

// For one controller see `node-deleted.test.ts`.
describeLong("a deleted Node of three controllers", function () {
    this.timeout(900_000);

    before(() => finished(cluster.spawnStart("--controllers", "3", "--workers", "0", "--yes")));
    after(() => cluster.destroy());

    it("returns with its role and its etcd member, without a failed request", async () => {
        const since = new Date();
        await underProber(
            cluster,
            "a deleted Node",
            () => loadBalancerTargets(cluster),
            async () => {
                const isBack = await deleteNodes(cluster, controllers[1]);
                await isBack();
                await isWhole(scene, since, 300);
            },
        );
        await cluster.pulumi("up", "--yes", "--skip-preview");
    });

    const acts: [string, (machine: string) => Promise<unknown>][] = [
        ["its kubelet restarts at once", (machine) => cluster.exec(machine, "systemctl restart kubelet")],
        ["its machine loses power", (machine) => powerCut(cluster.name, machine)],
    ];
    for (const [what, act] of acts) {
        it(`returns if ${what}`, async () => {
            const since = new Date();
            const isBack = await deleteNodes(cluster, controllers[2]);
            await act(controllers[2]);
            await isBack();
            await isWhole(scene, since, 300);
        });
    }
});
