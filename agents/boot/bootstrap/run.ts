import type { ApiClient } from "../../../clients/kubernetes/api-client";
import type { Journal } from "./journal";
import type { BootstrapPlan, StepName } from "./plan";

/** State found at the start of a run. */
export interface State {
    /** The API answered before the run did anything. */
    readonly isApiUp: boolean;
    /** When the cluster pivoted, from its own record. */
    readonly pivotedAt?: string;
    /** The temporary control plane must run. */
    readonly needsTemporary: boolean;
}

/** Context of every step. */
export interface Run {
    readonly plan: BootstrapPlan;
    readonly api: ApiClient;
    readonly journal: Journal;
    state: State;
    /** `performance.now()` at which the current step times out. */
    deadline: number;
    /** Reports what the step is waiting for. */
    report: (message: string) => void;
}

export interface Step {
    readonly name: StepName;
    /** Does what is left to do and describes it. */
    readonly run: (run: Run) => Promise<string>;
}
