import { setTimeout as sleep } from "node:timers/promises";
import { readText } from "../cluster/cluster";
import { isWhole, type Scene } from "../cluster/faults";
import { ObjectCounter } from "../cluster/object-counter";
import type { Recovery } from "./recoveries";
import type { Written } from "./written";

/** Seconds in which objects are written before a loss. */
const before = 5;

/**
 * Maximum seconds from the end of a recovery until every controller is healthy: an apiserver may back off after
 * crashes.
 */
const within = 480;

/** One loss and the recovery from it; writes acknowledged before must survive. */
export async function sufferAndRecover({ name, about, run }: Recovery, scene: Scene, written: Written): Promise<void> {
    console.log(`${name}: ${about}`);
    const counter = new ObjectCounter(readText(scene.cluster.kubeconfig));
    await sleep(before * 1000);
    written.add(await counter.stop());
    const start = performance.now();
    const seconds = () => ((performance.now() - start) / 1000).toFixed(0);
    await run(scene, (line) => console.log(`    ${seconds().padStart(4)} s  ${line}`));
    const over = new Date();
    await isWhole(scene, over, within);
    await written.check();
    console.log(
        `    ${seconds().padStart(4)} s  healthy, ${((Date.now() - over.getTime()) / 1000).toFixed(0)} s after that`,
    );
}
