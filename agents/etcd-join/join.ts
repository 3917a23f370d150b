import { readFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { describeError } from "../common/api-error";
import { EtcdClient } from "../common/etcd-client";
import { defaultTimeouts, type EtcdJoinPlan } from "./plan";
import type { Run, Step, StepEvent } from "./run";
import { steps } from "./steps";

/** A step did not come to its end. */
export class StepFailed extends Error {
    override readonly name = "StepFailed";
}

export interface JoinOptions {
    readonly plan: EtcdJoinPlan;
    /** Directory of the member's certificates. */
    readonly source: string;
    readonly log: (event: StepEvent) => void;
}

/** Makes this machine a voter of the cluster's etcd, or goes on where a killed run stopped. */
export async function join(options: JoinOptions): Promise<void> {
    const { plan, source } = options;
    const read = (name: string) => readFileSync(joinPath(source, name), "utf8");
    const client = new EtcdClient(plan.endpoints, {
        ca: read("ca.crt"),
        cert: read("member.crt"),
        key: read("member.key"),
    });
    for (const step of steps) {
        await runStep(step, client, options);
    }
}

async function runStep(step: Step, client: EtcdClient, { plan, source, log }: JoinOptions): Promise<void> {
    const start = performance.now();
    const tell = (event: StepEvent["event"], message: string) =>
        log({ step: step.name, event, seconds: (performance.now() - start) / 1000, message });
    const run: Run = {
        plan,
        client,
        source,
        deadline: start + (plan.timeouts?.[step.name] ?? defaultTimeouts[step.name]) * 1000,
        report: (message) => tell("retry", message),
    };
    tell("start", "");
    try {
        tell("done", await step.run(run));
    } catch (error) {
        tell("failed", describeError(error));
        throw new StepFailed(`${step.name}: ${describeError(error)}`, { cause: error });
    }
}
