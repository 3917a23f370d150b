import type { EtcdClient } from "../../../clients/etcd/client";
import type * as common from "../../harness/steps";
import type { Patience } from "../../harness/wait";
import type { Ending } from "./ending";
import type { JournalFile } from "./journal";
import type { EtcdStaticPod } from "./manifest";
import type { EtcdUpdatePlan, StepName } from "./plan";

/** Context of every step. */
export interface Run extends Patience {
    readonly plan: EtcdUpdatePlan;
    readonly client: EtcdClient;
    readonly journal: JournalFile;
    readonly ending: Ending;
    readonly previous: EtcdStaticPod;
    readonly wanted: EtcdStaticPod;
}

export type Step = common.Step<StepName, Run>;
