import type { ApiClient } from "../../../clients/kubernetes/api-client";
import type { Step as StepOf } from "../../harness/steps";
import type { Patience } from "../../harness/wait";
import type { Journal } from "./journal";
import type { BootstrapPlan, StepName } from "./plan";

/** State found at the start of a run. */
export interface State {
    /** The API answered before the run did anything. */
    readonly isApiUp: boolean;
    /** When the cluster pivoted, from its own record. */
    readonly pivotedAt?: string;
    /** The control plane must run from checkpoints. */
    readonly needsCopies: boolean;
    /** This run has restarted the kubelet, so that it registers its Node at once. @default false */
    readonly isKubeletRestarted?: boolean;
}

/** Context of every step. */
export interface Run extends Patience {
    readonly plan: BootstrapPlan;
    readonly api: ApiClient;
    readonly journal: Journal;
    state: State;
}

export type Step = StepOf<StepName, Run>;
