import type { ApiClient } from "../common/api-client";
import type { EtcdClient } from "../common/etcd-client";
import type * as common from "../common/steps";
import type { Patience } from "../common/wait";
import type { NodeRemovalPlan } from "./plan";
import type { StepName } from "./step-names";

/** What every step gets. */
export interface Run extends Patience {
    readonly plan: NodeRemovalPlan;
    readonly api: ApiClient;
    readonly etcd: EtcdClient;
}

export type Step = common.Step<StepName, Run>;
