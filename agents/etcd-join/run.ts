import type { EtcdClient } from "../common/etcd-client";
import type { EtcdJoinPlan } from "./plan";
import type { StepName } from "./step-names";

/** What every step gets. */
export interface Run {
    readonly plan: EtcdJoinPlan;
    readonly client: EtcdClient;
    /** Directory of the plan and of the certificates that come with it. */
    readonly source: string;
    /** `performance.now()` at which the present step has had its time. */
    readonly deadline: number;
    /** Tells those who watch what the step is waiting for. */
    readonly report: (message: string) => void;
}

export interface Step {
    readonly name: StepName;
    /** Does what is left to do, and says what that was. */
    readonly run: (run: Run) => Promise<string>;
}

/** Something that those who watch are told. */
export interface StepEvent {
    readonly step: StepName;
    /** `retry` tells what a step is waiting for. */
    readonly event: "start" | "done" | "retry" | "failed";
    /** Since the step's start. */
    readonly seconds: number;
    readonly message: string;
}
