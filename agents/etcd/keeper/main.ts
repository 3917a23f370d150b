import { setTimeout as sleep } from "node:timers/promises";
import { describeError } from "../../../clients/kubernetes/api-error";
import { takeLock } from "../../harness/lock";
import { runAgent } from "../../harness/main";
import { InvalidPlan, readPlan } from "../../harness/plan";
import { memberLock } from "../member/runner";
import { scene } from "./context";
import { Keeper } from "./keeper";
import { planSchema } from "./plan";
import { restorePlanSchema } from "./restore/plan";
import { RestoreFailed, restore as restoreMember, type StepEvent } from "./restore/restore";

const everyMilliseconds = 30_000;

/** Maintains the cluster's etcd until it is stopped. */
async function keep(path: string): Promise<void> {
    const plan = readPlan(path, planSchema);
    const { snapshots, log, ...rest } = scene(plan);
    const keeper = new Keeper({ plan, snapshots, log, ...rest });
    const last = snapshots.last();
    log(`maintaining etcd of ${plan.clusterName}; the last snapshot here is ${last?.name ?? "not taken yet"}`);
    for (;;) {
        await keeper.look();
        await sleep(everyMilliseconds);
    }
}

/** Recreates this machine's member from a snapshot. */
async function restore(path: string): Promise<void> {
    const plan = readPlan(path, restorePlanSchema);
    await takeLock(memberLock(plan.directories.data), () =>
        console.log("another agent is running here; waiting for it to end"),
    );
    await restoreMember(plan, print);
    console.log(`${plan.member.name} serves the snapshot's data`);
}

function print({ step, event, seconds, message }: StepEvent): void {
    if (event !== "start") {
        console.log(`${step}: ${event === "failed" ? "failed: " : ""}${message} (${seconds.toFixed(1)}s)`);
    }
}

/** The snapshot failed, or its copy to the store did. */
class SnapshotFailed extends Error {
    override readonly name = "SnapshotFailed";
}

/** Takes one snapshot now. The last line of output is its status, as JSON. */
async function snapshot(path: string): Promise<void> {
    const plan = readPlan(path, planSchema);
    const { snapshots, publish, log } = scene(plan);
    const status = await snapshots.take("demand");
    try {
        await publish("snapshot", status);
    } catch (error) {
        // The snapshot matters more, and is needed most when the API is unhealthy.
        log(`could not publish the status: ${describeError(error)}`);
    }
    log(JSON.stringify(status));
    const { failure = status.copyFailure } = status;
    if (failure) {
        throw new SnapshotFailed(failure.message);
    }
}

/** `etcd-keeper <verb> <plan.json>` */
const verbs: Record<string, (plan: string) => Promise<void>> = { keep, snapshot, restore };

async function main(verb = "", plan = ""): Promise<void> {
    const run = verbs[verb];
    if (run === undefined) {
        throw new InvalidPlan(`the verb must be one of ${Object.keys(verbs).join(", ")}, got ${verb || '""'}`);
    }
    await run(plan);
}

runAgent(main, { onSignal: "the next start resumes here", logged: [RestoreFailed, SnapshotFailed] });
