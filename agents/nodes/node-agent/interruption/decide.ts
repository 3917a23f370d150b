import { type Notice, warning } from "../../../../clients/kubernetes/nodes";

/** The cloud's notice that it takes a machine away. */
export interface Interruption {
    /** `terminate`, `stop` or `hibernate`. */
    readonly action: string;
    /**
     * As the cloud formats it: `2030-01-01T00:02:00Z`. @default - once its group is released, which waits for a while
     */
    readonly time?: string;
}

export type InterruptionAction = "cordon" | "evict" | "release";

export interface InterruptionDecision {
    /** In this order. */
    readonly actions: readonly InterruptionAction[];
    readonly notice: Notice;
    /** Progress of the drain. */
    readonly summary: string;
}

/**
 * Decides what to do on a machine that is being taken away: its pods are evicted, within their disruption budgets,
 * while others replace them, until the machine shuts down and the kubelet ends the rest. A waiting group is released
 * once no pod is left.
 *
 * @param left - pods to evict, each with its state
 * @param hasOtherNodes - whether other nodes could take the pods; otherwise they are best left running
 */
export function decideInterruption(
    { action, time }: Interruption,
    { isCordoned }: { readonly isCordoned: boolean },
    left: readonly string[],
    hasOtherNodes: boolean,
): InterruptionDecision {
    const drains = hasOtherNodes && left.length > 0;
    const pods = drains ? `pods to evict: ${left.join("; ")}` : "no pods to evict";
    const [reason, who, when] =
        time === undefined
            ? ["InstanceTermination", "The Auto Scaling group is about to terminate this machine", "once it is drained"]
            : ["SpotInterruption", `The cloud is about to reclaim this machine (${action})`, `at ${time}`];
    return {
        actions: [
            ...(isCordoned ? [] : (["cordon"] as const)),
            ...(drains ? (["evict"] as const) : []),
            // Until it is cordoned, another pod may be scheduled.
            ...(time === undefined && isCordoned && !drains ? (["release"] as const) : []),
        ],
        notice: warning(reason, `${who} ${when}: the node is being cordoned and drained`),
        summary: `the machine will be taken away ${when}; ${pods}`,
    };
}
