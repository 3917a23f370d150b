import { hostname } from "node:os";
import { EtcdClient } from "../../../clients/etcd/client";
import { accountClient } from "../../../clients/kubernetes/api-client";
import { describeError } from "../../../clients/kubernetes/api-error";
import { serveHealth } from "../../harness/health";
import { logWait, takeLock } from "../../harness/lock";
import { repeat, runAgent } from "../../harness/main";
import { InvalidPlan, readPlan } from "../../harness/plan";
import { printStep, StepFailed } from "../../harness/steps";
import { memberCredentials } from "../member/files";
import { memberLock } from "../member/runner";
import { Keeper } from "./keeper";
import { type KeeperPlan, planSchema } from "./plan";
import { fetchPlanSchema, fetchSnapshot } from "./restore/fetch";
import { restorePlanSchema } from "./restore/plan";
import { restore as restoreMember } from "./restore/restore";
import { Snapshots } from "./snapshots";
import { publish } from "./status";

const everyMilliseconds = 30_000;

/** What the verbs that manage a running cluster work with. */
function scene(plan: KeeperPlan) {
    const client = new EtcdClient([plan.endpoint], memberCredentials(plan.pki));
    const api = accountClient(plan.apiServer, "tradewind-etcd-keeper");
    const log = (line: string) => console.log(line);
    // The host name may be another one. A program without a pod has no node.
    const node = process.env.NODE_NAME ?? hostname();
    const snapshots = new Snapshots({ plan, client, node, log });
    return {
        client,
        snapshots,
        log,
        publish: (part: "members" | "snapshot", status: object) => publish(api, part, status),
    };
}

/** Maintains the cluster's etcd until it is stopped. */
async function keep(path: string): Promise<void> {
    const plan = readPlan(path, planSchema);
    const { snapshots, log, ...rest } = scene(plan);
    const keeper = new Keeper({ plan, snapshots, log, ...rest });
    const last = snapshots.last();
    log(`maintaining etcd of ${plan.clusterName}; the last snapshot here is ${last?.name ?? "not taken yet"}`);
    if (plan.metricsPort !== undefined) {
        const healthy = () => undefined;
        serveHealth(plan.metricsPort, { live: healthy, ready: healthy, metrics: () => keeper.metrics() });
    }
    await repeat(everyMilliseconds, () => keeper.reconcile());
}

/** Recreates this machine's member from a snapshot. */
async function restore(path: string): Promise<void> {
    const plan = readPlan(path, restorePlanSchema);
    await takeLock(memberLock(plan.directories.data), logWait());
    await restoreMember(plan, printStep);
    console.log(`${plan.member.name} serves the snapshot's data`);
}

/** Copies a snapshot from a store to a file. The last line of output says which. */
async function fetch(path: string): Promise<void> {
    console.log(await fetchSnapshot(readPlan(path, fetchPlanSchema)));
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
const verbs: Record<string, (plan: string) => Promise<void>> = { keep, snapshot, restore, fetch };

async function main(verb = "", plan = ""): Promise<void> {
    const run = verbs[verb];
    if (run === undefined) {
        throw new InvalidPlan(`the verb must be one of ${Object.keys(verbs).join(", ")} (got ${verb || '""'})`);
    }
    await run(plan);
}

runAgent(main, { onSignal: "the next start resumes here", logged: [StepFailed, SnapshotFailed] });
