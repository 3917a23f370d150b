import type { RebootWindow } from "./windows";

/** When nodes may be rebooted, and what has to be whole before: `plan.json`. It holds no secret. */
export interface RebootApproverPlan {
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    readonly windows: readonly RebootWindow[];
    /** DaemonSets in kube-system that have to be whole, as those of node-agents have to. */
    readonly daemonSets: readonly string[];
    /** Label that a controller's Node has. */
    readonly controllerLabel: string;
}
