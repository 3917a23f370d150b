import { powerCut } from "../../../machines";
import { describeLong } from "../../takes-long";
import { isWhole, type Scene } from "../faults";
import { type Damage, damageFiles, damages, rounds } from "../faults/files";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const workers = [`${shared.name}-default-0`, `${shared.name}-default-1`];
const scene: Scene = { cluster: shared, controllers: [controller], workers };

describeLong("an only controller and a worker, whose files a power cut has damaged", function () {
    this.timeout(600_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        await isWhole(scene, new Date(), 180);
    });

    after(() => shared.kubectl("delete", "daemonset/fault-probe", "--ignore-not-found", "--wait=false"));

    for (const [files, round] of Object.entries(rounds)) {
        for (const damage of Object.keys(damages) as Damage[]) {
            it(`are whole again within five minutes: ${files}, ${damage}`, async () => {
                const machines = [controller, workers[0]!];
                for (const machine of machines) await damageFiles(shared, machine, round, damage);
                const since = new Date();
                await Promise.all(machines.map((machine) => powerCut(shared.name, machine)));
                await isWhole(scene, since, 300);
                console.log(`      whole after ${Math.round((Date.now() - since.getTime()) / 1000)} s`);
            });
        }
    }
});
