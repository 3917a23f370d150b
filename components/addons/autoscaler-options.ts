import { requireDuration } from "../cluster/duration";
import { invalid, requireOneOf } from "../cluster/validate";

/** How cluster-autoscaler decides: the flags of the same names. */
export interface ClusterAutoscalerOptions {
    /**
     * Which of several pools grows, if pods would find room in each: the one of which the least is left over, the one in which most pods find room,
     * or any: `least-waste`, `most-pods` or `random`.
     * @default "least-waste"
     */
    expander?: string;
    /**
     * How much of a node's CPUs and memory pods request for it to be used enough, in percent: below that it may go. 1 to 100.
     * @default 50
     */
    scaleDownUtilizationThreshold?: number;
    /** For how long a node has to be little used before it goes: 1m to 24h. @default "10m" */
    scaleDownUnneededTime?: string;
    /** For how long none goes after one came: 1m to 24h. @default "10m" */
    scaleDownDelayAfterAdd?: string;
    /** How long it waits for the node of an instance that it asked for before it asks another pool: 1m to 1h. @default "15m" */
    maxNodeProvisionTime?: string;
    /** Whether pools whose nodes are alike, as one per zone, have the same number of them. @default false */
    balanceSimilarNodeGroups?: boolean;
    /** Whether a node stays on which a pod has local storage (`emptyDir`, `hostPath`). @default true */
    skipNodesWithLocalStorage?: boolean;
    /** Whether a node stays on which there is a pod of `kube-system` that is no DaemonSet's and has no budget. @default true */
    skipNodesWithSystemPods?: boolean;
}

/** Checks the options, and makes flags of them, with every default. Throws `<option> must be <legal>, got <value>`. */
export function autoscalerFlags(options: ClusterAutoscalerOptions, option: string): Record<string, string> {
    const { expander = "least-waste", scaleDownUtilizationThreshold: threshold = 50 } = options;
    const { scaleDownUnneededTime = "10m", scaleDownDelayAfterAdd = "10m", maxNodeProvisionTime = "15m" } = options;
    requireOneOf(`${option}.expander`, ["least-waste", "most-pods", "random"], expander);
    if (!(Number.isInteger(threshold) && threshold >= 1 && threshold <= 100)) {
        throw invalid(`${option}.scaleDownUtilizationThreshold`, "a whole number from 1 to 100", threshold);
    }
    const seconds = (name: string, value: string, most: string) =>
        `${requireDuration(`${option}.${name}`, value, "1m", most)}s`;
    return {
        "balance-similar-node-groups": String(options.balanceSimilarNodeGroups ?? false),
        expander,
        "max-node-provision-time": seconds("maxNodeProvisionTime", maxNodeProvisionTime, "1h"),
        "scale-down-delay-after-add": seconds("scaleDownDelayAfterAdd", scaleDownDelayAfterAdd, "24h"),
        "scale-down-unneeded-time": seconds("scaleDownUnneededTime", scaleDownUnneededTime, "24h"),
        "scale-down-utilization-threshold": String(threshold / 100),
        "skip-nodes-with-local-storage": String(options.skipNodesWithLocalStorage ?? true),
        "skip-nodes-with-system-pods": String(options.skipNodesWithSystemPods ?? true),
    };
}
