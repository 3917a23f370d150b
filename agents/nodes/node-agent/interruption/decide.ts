import { type Notice, warning } from "../../../../clients/kubernetes/node-event";

/** What the cloud tells a machine that it takes away. */
export interface Interruption {
    /** `terminate`, `stop` or `hibernate`. */
    readonly action: string;
    /** As the cloud writes it: `2030-01-01T00:02:00Z`. @default - when its group is told that it may, which waits for a while */
    readonly time?: string;
}

export type InterruptionAction = "cordon" | "evict" | "release";

export interface InterruptionDecision {
    /** Done in this order. */
    readonly actions: readonly InterruptionAction[];
    readonly notice: Notice;
    /** Where the drain stands. */
    readonly standing: string;
}

/**
 * What to do on a machine that is going: its pods end while others take their places, as far as their disruption budgets
 * let them, and until it shuts down. The kubelet ends then what is left. A group that waits is released when none is left.
 *
 * @param left - pods that are to go, each with its state
 * @param hasOtherNodes - whether anybody could take pods: else each is served best by staying
 */
export function decideInterruption(
    { action, time }: Interruption,
    { isCordoned }: { readonly isCordoned: boolean },
    left: readonly string[],
    hasOtherNodes: boolean,
): InterruptionDecision {
    const drains = hasOtherNodes && left.length > 0;
    const pods = drains ? `pods are to go: ${left.join("; ")}` : "no pod is to go before";
    const [reason, who, when] =
        time === undefined
            ? ["InstanceTermination", "Its Auto Scaling group takes this machine away", "when it is drained"]
            : ["SpotInterruption", `The cloud takes this machine away (${action})`, `at ${time}`];
    return {
        actions: [
            ...(isCordoned ? [] : (["cordon"] as const)),
            ...(drains ? (["evict"] as const) : []),
            // While it is not cordoned, another pod may come.
            ...(time === undefined && isCordoned && !drains ? (["release"] as const) : []),
        ],
        notice: warning(reason, `${who} ${when}: the node is cordoned and drained`),
        standing: `the machine is taken away ${when}; ${pods}`,
    };
}
