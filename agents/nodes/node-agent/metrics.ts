import { statSync } from "node:fs";
import { join } from "node:path";
import type { Metric } from "../../harness/metrics";

/** Files with the progress of a change, by part of the node. */
export const journals = {
    kubelet: "journal.json",
    "cni-plugins": "cni-plugins-journal.json",
    "container-runtime": "container-runtime-journal.json",
    reboot: "reboot-journal.json",
} as const;

export type Part = keyof typeof journals;

/** What the node-agent knows. */
export interface NodeAgentView {
    /** Kubernetes version that the node should run. */
    readonly desired: string;
    readonly isNodeDesired: boolean;
    /** Why a part of the node failed to change. */
    readonly failures: Readonly<Record<Part, string | undefined>>;
    /** Directory of the journals. */
    readonly state: string;
    /** Seconds since the last reconcile. */
    readonly idleSeconds: number;
}

export function nodeAgentMetrics({ desired, isNodeDesired, failures, state, idleSeconds }: NodeAgentView): Metric[] {
    const byPart = (value: (part: Part) => number | boolean | undefined) =>
        (Object.keys(journals) as Part[]).map((part) => ({ labels: { part }, value: value(part) }));
    return [
        {
            name: "tradewind_node_desired_info",
            help: "1, with the Kubernetes version that the node should run.",
            samples: [{ labels: { version: desired }, value: 1 }],
        },
        {
            name: "tradewind_node_in_desired_state",
            help: "Whether the node is in the desired state.",
            samples: [{ value: isNodeDesired }],
        },
        {
            name: "tradewind_node_change_failed",
            help: "Whether a change of the node failed. The node-agent then exits, and restarts with growing back-off.",
            samples: byPart((part) => failures[part] !== undefined),
        },
        {
            name: "tradewind_node_change_timestamp_seconds",
            help: "Last progress of a change of the node.",
            samples: byPart((part) => modified(join(state, journals[part]))),
        },
        {
            name: "tradewind_node_agent_idle_seconds",
            help: "Time since the last reconcile.",
            samples: [{ value: idleSeconds }],
        },
    ];
}

/** Seconds since 1970; undefined if the file does not exist. */
function modified(path: string): number | undefined {
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return mtimeMs && mtimeMs / 1000;
}
