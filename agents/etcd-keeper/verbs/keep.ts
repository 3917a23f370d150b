import { setTimeout as sleep } from "node:timers/promises";
import { Keeper } from "../keeper";
import { readPlan } from "../read-plan";
import { scene } from "../scene";

const everyMilliseconds = 30_000;

/** Looks after the cluster's etcd until it is told to end. */
export async function keep(path: string): Promise<void> {
    const plan = readPlan(path);
    const { snapshots, log, ...rest } = scene(plan);
    const keeper = new Keeper({ plan, snapshots, log, ...rest });
    const last = snapshots.last();
    log(`looking after etcd of ${plan.clusterName}; the last snapshot here is ${last?.name ?? "yet to come"}`);
    for (;;) {
        await keeper.look();
        await sleep(everyMilliseconds);
    }
}
