import { EtcdClient } from "../common/etcd-client";
import { memberCredentials } from "../common/member-credentials";
import { runSteps, type StepEvent } from "../common/steps";
import { defaultTimeouts, type EtcdJoinPlan } from "./plan";
import type { Step } from "./run";
import { steps } from "./steps";
import { findCluster } from "./steps/find-cluster";

export interface JoinOptions {
    readonly plan: EtcdJoinPlan;
    /** Directory of the member's certificates. */
    readonly source: string;
    /** Waits until no other agent works on this machine's member. @default nobody else does */
    readonly lock?: () => Promise<unknown>;
    readonly log: (event: StepEvent) => void;
}

/** Makes this machine a voter of the cluster's etcd, or goes on where a killed run stopped. */
export async function join({ plan, source, lock, log }: JoinOptions): Promise<void> {
    const client = new EtcdClient(plan.endpoints, memberCredentials(source));
    const run = (some: readonly Step[]) =>
        runSteps(some, { plan, client, source }, (step) => plan.timeouts?.[step] ?? defaultTimeouts[step], log);
    // It only looks, and in vain while the others have no majority: a restore that mends this must not wait for it.
    await run([findCluster]);
    await lock?.();
    await run(steps.filter((step) => step !== findCluster));
}
