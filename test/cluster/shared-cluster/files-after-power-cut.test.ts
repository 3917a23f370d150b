import { powerCut } from "../../../machines";
import { describeLong } from "../../takes-long";
import { finished, TestCluster } from "../cluster";
import { isWhole, type Scene } from "../faults";
import { type Damage, damageFiles, damages, rounds } from "../faults/files";
import { shared, sharedCluster } from "../shared";

const of = (cluster: TestCluster, count: number): Scene => ({
    cluster,
    controllers: Array.from({ length: count }, (_, index) => `${cluster.name}-controller-${index}`),
    workers: [],
});

const three = new TestCluster("cut");
const alone: Scene = { ...of(shared, 1), workers: [`${shared.name}-default-0`, `${shared.name}-default-1`] };

describeLong("an only controller and a worker, whose files a power cut has damaged", function () {
    this.timeout(600_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        await isWhole(alone, new Date(), 180);
    });

    after(() => shared.kubectl("delete", "daemonset/fault-probe", "--ignore-not-found", "--wait=false"));

    healFrom(alone, [alone.controllers[0]!, alone.workers[0]!]);
});

describeLong("one of three controllers, whose files a power cut has damaged", function () {
    this.timeout(900_000);
    const scene = of(three, 3);

    before(() => finished(three.spawnStart("--controllers", "3", "--workers", "0", "--yes")));
    after(() => three.destroy());

    healFrom(scene, [scene.controllers[1]!]);
});

/** A test for each kind of file and of damage. @param machines - those that lose power together */
function healFrom(scene: Scene, machines: readonly string[]): void {
    for (const [files, round] of Object.entries(rounds)) {
        for (const damage of Object.keys(damages) as Damage[]) {
            it(`is whole again within five minutes: ${files}, ${damage}`, async () => {
                for (const machine of machines) await damageFiles(scene.cluster, machine, round, damage);
                const since = new Date();
                await Promise.all(machines.map((machine) => powerCut(scene.cluster.name, machine)));
                await isWhole(scene, since, 300);
                console.log(`      whole after ${Math.round((Date.now() - since.getTime()) / 1000)} s`);
            });
        }
    }
}
