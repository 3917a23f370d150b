import type { ApiClient } from "../../../clients/kubernetes/api-client";
import type { Journal } from "./journal";
import type { BootstrapPlan, StepName } from "./plan";

/** What a run found when it started. */
export interface State {
    /** The API answered before the run did anything. */
    readonly isApiUp: boolean;
    /** When the cluster says that it pivoted, if it does. */
    readonly pivotedAt?: string;
    /** The temporary control plane has to run. */
    readonly needsTemporary: boolean;
}

/** What every step gets. */
export interface Run {
    readonly plan: BootstrapPlan;
    readonly api: ApiClient;
    readonly journal: Journal;
    state: State;
    /** `performance.now()` at which the present step has had its time. */
    deadline: number;
    /** Tells those who watch what the step is waiting for. */
    report: (message: string) => void;
}

export interface Step {
    readonly name: StepName;
    /** Does what is left to do, and says what that was. */
    readonly run: (run: Run) => Promise<string>;
}
