import type { EtcdClient } from "../common/etcd-client";
import type * as common from "../common/steps";
import type { Patience } from "../common/wait";
import type { Ending } from "./ending";
import type { JournalFile } from "./journal";
import type { EtcdStaticPod } from "./manifest";
import type { EtcdUpdatePlan } from "./plan";
import type { StepName } from "./step-names";

/** What every step gets. */
export interface Run extends Patience {
    readonly plan: EtcdUpdatePlan;
    readonly client: EtcdClient;
    readonly journal: JournalFile;
    readonly ending: Ending;
    readonly previous: EtcdStaticPod;
    readonly wanted: EtcdStaticPod;
}

export type Step = common.Step<StepName, Run>;
