import type { EtcdClient } from "../common/etcd-client";
import type * as common from "../common/steps";
import type { Patience } from "../common/wait";
import type { EtcdJoinPlan } from "./plan";
import type { StepName } from "./step-names";

/** What every step gets. */
export interface Run extends Patience {
    readonly plan: EtcdJoinPlan;
    readonly client: EtcdClient;
    /** Directory of the plan and of the certificates that come with it. */
    readonly source: string;
}

export type Step = common.Step<StepName, Run>;
