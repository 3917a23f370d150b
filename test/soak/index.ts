import type { Node } from "../../clients/kubernetes/objects";
import { controllerLabel } from "../../cluster/labels";
import { command } from "../../command-line/command";
import { hasState } from "../../local/state";
import { list } from "../../machines";
import { readText, TestCluster } from "../cluster/cluster";
import { isWhole, type Scene } from "../cluster/faults";
import { ObjectCounter } from "../cluster/object-counter";
import { type SoakOptions, soakOptions, soakText } from "./options";
import { sufferAndRecover } from "./recover";
import { describeGoal, replacement } from "./replacements";
import { type Outcome, summary } from "./report";
import { describeSequence, randomOfSequence, sequenceOf, singleOf } from "./sequence";
import { strike } from "./strike";
import { Written } from "./written";

export const program = command({ ...soakText, options: soakOptions }, soak);

export const main = program.run;

/** `npm run soak`: faults on one cluster, until the time is over or it does not survive one. */
async function soak(options: SoakOptions): Promise<number> {
    const cluster = new TestCluster(options.name);
    const isOurs = !hasState(options.name);
    console.log(`==> seed ${options.seed}, ${options.minutes} minutes, cluster ${options.name}`);
    if (isOurs) await make(cluster, options);
    let scene = await sceneOf(cluster);
    const outcomes: Outcome[] = [];
    const recovered: string[] = [];
    const written = new Written(cluster);
    const end = Date.now() + options.minutes * 60_000;
    try {
        await isWhole(scene, new Date(), 300);
        for (const recovery of options.recover ?? []) {
            await sufferAndRecover(recovery, scene, written);
            recovered.push(recovery.name);
        }
        const most = options.recover
            ? 0
            : options.each
              ? Math.min(options.sequences, options.faults.length - options.from)
              : options.sequences;
        for (let index = options.from; Date.now() < end && outcomes.length < most; index++) {
            if (options.replacements) {
                outcomes.push(await replacement(index, cluster, randomOfSequence(options.seed, index), written));
                // Others are controllers now.
                scene = await sceneOf(cluster);
                await isWhole(scene, new Date(), 300);
            } else {
                outcomes.push(await sequence(index, scene, options, written));
            }
        }
        await finish(scene, written);
    } catch (error) {
        console.log(`\nNOT SURVIVED: ${(error as Error).message}`);
        if (options.recover === undefined) console.log(replay(options, options.from + outcomes.length));
        console.log(`the logs of every machine: ${await cluster.collectLogs()}`);
        return 1;
    } finally {
        if (options.replacements) console.log(describeGoal(outcomes));
        console.log(options.recover ? `==> recovered from ${recovered.join(", ")}` : summary(outcomes));
    }
    if (isOurs && !options.keep) await cluster.destroy();
    return 0;
}

async function make(cluster: TestCluster, { controllers, workers, replacements }: SoakOptions): Promise<void> {
    if (replacements) {
        console.log("==> creating the cluster: 3 controllers, 2 candidates");
        await cluster.start("--controllers", "3", "--workers", "2", "--candidates", "--yes");
        const replaceAfter = ["--path", "tradewind:controllers.replaceAfter", "20s", "--plaintext"];
        await cluster.pulumi("config", "set", ...replaceAfter);
        await cluster.pulumi("up", "--yes", "--skip-preview");
        return;
    }
    console.log(`==> creating the cluster: ${controllers} controllers, ${workers} workers`);
    await cluster.start("--controllers", String(controllers), "--workers", String(workers), "--yes");
}

/** The cluster's machines, by the role that they have now. */
async function sceneOf(cluster: TestCluster): Promise<Scene> {
    const machines = (await list(cluster.name)).filter(({ role }) => role === "machine").map(({ name }) => name);
    const { items } = await cluster.get<{ items: Node[] }>("nodes", "-l", controllerLabel);
    const controllers = items.map(({ metadata }) => metadata.name).sort();
    return { cluster, controllers, workers: machines.filter((name) => !controllers.includes(name)).sort() };
}

/** One sequence, while objects are written. */
async function sequence(index: number, scene: Scene, options: SoakOptions, written: Written): Promise<Outcome> {
    const random = randomOfSequence(options.seed, index);
    const steps = (options.each ? singleOf : sequenceOf)(random, options.faults, scene, index);
    console.log(`#${index} ${describeSequence(steps)}`);
    const counter = new ObjectCounter(readText(scene.cluster.kubeconfig));
    let seconds: number;
    try {
        seconds = await strike(scene, steps, random);
    } finally {
        written.add(await counter.stop());
    }
    await written.check();
    const { longestGap, failures, acknowledged } = written.last!;
    const outcome = { index, faults: steps.map(({ fault }) => fault.name), seconds, gap: longestGap / 1000 };
    console.log(
        `    healthy after ${seconds.toFixed(1)} s; ${acknowledged.length} objects written, ${failures.length} refused, ` +
            `longest gap ${outcome.gap.toFixed(1)} s`,
    );
    return outcome;
}

/** Nothing lost, and healthy according to `tradewind status`. */
async function finish(scene: Scene, written: Written): Promise<void> {
    await isWhole(scene, new Date(), 300);
    console.log(`==> ${await written.check()} acknowledged objects, none missing`);
    const { stdout: status } = await scene.cluster.tradewind("status");
    console.log(`==> ${status.split("\n").find((line) => line.includes(" is healthy"))}`);
}

/** How to repeat the same sequence. */
function replay(options: SoakOptions, index: number): string {
    const { seed, controllers, workers, faults, each, replacements } = options;
    const again = `to replay it: npm run soak -- --seed ${seed} --from ${index} --sequences 1 `;
    if (replacements) return `${again}--replacements`;
    const names = faults.map(({ name }) => name).join(",");
    return `${again}--controllers ${controllers} --workers ${workers}${each ? " --each" : ""} --faults ${names}`;
}
