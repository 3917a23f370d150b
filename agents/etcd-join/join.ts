import { readFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { EtcdClient } from "../common/etcd-client";
import { runSteps, type StepEvent } from "../common/steps";
import { defaultTimeouts, type EtcdJoinPlan } from "./plan";
import { steps } from "./steps";

export interface JoinOptions {
    readonly plan: EtcdJoinPlan;
    /** Directory of the member's certificates. */
    readonly source: string;
    readonly log: (event: StepEvent) => void;
}

/** Makes this machine a voter of the cluster's etcd, or goes on where a killed run stopped. */
export async function join({ plan, source, log }: JoinOptions): Promise<void> {
    const read = (name: string) => readFileSync(joinPath(source, name), "utf8");
    const client = new EtcdClient(plan.endpoints, {
        ca: read("ca.crt"),
        cert: read("member.crt"),
        key: read("member.key"),
    });
    await runSteps(steps, { plan, client, source }, (step) => plan.timeouts?.[step] ?? defaultTimeouts[step], log);
}
