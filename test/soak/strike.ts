import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../cluster/cluster";
import { isWhole, type Scene } from "../cluster/faults";
import type { Step } from "./sequence";

/** Maximum time until a fault can be injected: another one may have taken down the API. Unit: seconds. */
const reach = 300;

/**
 * Injects the faults of a sequence, ends them, and waits until the cluster is healthy; resolves to the seconds that
 * took.
 */
export async function strike(scene: Scene, steps: readonly Step[], random: () => number): Promise<number> {
    const outcomes = await Promise.allSettled(steps.map((step) => happen(scene, step, random)));
    const over = new Date();
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed) throw failed.reason;
    await Promise.all(steps.map(({ fault, machine }) => fault.settled?.(scene, machine, over)));
    await isWhole(scene, over, Math.max(0, ...steps.map(({ fault: { within = 240 } }) => within)));
    return (Date.now() - over.getTime()) / 1000;
}

async function happen(scene: Scene, { fault, machine, at }: Step, random: () => number): Promise<void> {
    await sleep(at * 1000);
    try {
        await eventually(`${fault.name} to strike`, () => fault.inject(scene, machine, random), reach);
        await sleep((fault.lasts ?? 0) * 1000);
    } finally {
        await eventually(`the end of ${fault.name}`, async () => fault.heal?.(scene, machine), reach);
    }
}
